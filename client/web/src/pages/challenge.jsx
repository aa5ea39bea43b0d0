/** A challenge: one deal, on which each guest races once, at any time until it closes. */
import { useEffect, useState } from 'preact/hooks'
import { clockText, listText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { lanesOf, rowText } from '../model/race/challenge.js'
import { ChatCard } from '../parts/chat/chat.jsx'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton } from '../parts/controls/confirm-button.jsx'
import { Name } from '../parts/controls/face.jsx'
import { Form, NameField, PasswordField, Select, Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, useCommand, useNow, usePageTitle, useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { PlaceBadge } from '../parts/race/celebration.jsx'
import { Results } from '../parts/results/results.jsx'
import { Invite } from '../parts/room/invite.jsx'
import { Rich } from '../words/sentence.jsx'
import { language, t } from '../words/translate.js'
import { Circle } from './circle.jsx'
import { betterThan, DayFacts, Days } from './day.jsx'
import { Fan } from './hero.jsx'
import './front.css'
import './join.css'
import './challenge.css'

/** @import { Challenge as View } from '../protocol/protocol.d.ts' */

/** From how many results on the middle one says something. */
const TELLING = 5
const DAY = 86_400_000
/** How many days it can be open. */
const WINDOWS = [1, 7, 30]

/** How long it is still open. @param {{challenge: View}} props */
function Closing({ challenge }) {
  const left = useNow(60_000, (now) => Math.max(0, challenge.closes_at - now))
  if (challenge.closed) return <>{t('challenge.closed')}</>
  const hours = Math.ceil(left / 3_600_000)
  const days = Math.floor(hours / 24)
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'always' })
  return <>{t('challenge.closes', { when: days > 1 ? format.format(days, 'day') : format.format(hours, 'hour') })}</>
}

/** The name, and the button that begins the one try. @param {{limit: number, locked: boolean}} props limit: of the race, in seconds */
function Start({ limit, locked }) {
  const { session, prefs, route, seats } = useSite()
  const [name, setName] = useState(prefs.name.value)
  const [password, setPassword] = useState('')
  const start = useAction(async () => {
    const own = name.trim()
    await session.ask('try', own, prefs.face.peek(), password)
    prefs.name.value = own
    const { code } = session.ownTry.peek() ?? { code: '' } // it came before the answer
    seats.take(code, own)
    route.toRoom(code)
  })
  return (
    <Form class="challenge-part" onSubmit={start.go}>
      <NameField value={name} onInput={setName} required error={null} />
      {locked && <PasswordField value={password} onInput={setPassword} />}
      <p class="hint">{t('challenge.once', { time: clockText(limit * 1000) })}</p>
      {start.error && <Wrong>{start.error.message}</Wrong>}
      <div class="row row-end">
        <Button type="submit" kind="main large" disabled={start.busy} text={t('challenge.start')} />
      </div>
    </Form>
  )
}

/** All results, for a guest who may see them. @param {{challenge: View, own: number}} props own: the number of the own try */
function Standings({ challenge, own }) {
  const { route } = useSite()
  const lanes = lanesOf(challenge)
  return (
    <section class="card challenge-part" aria-label={t('challenge.results')}>
      <h2>{t('challenge.results')}</h2>
      <Results lanes={lanes} seat={own} />
      <p>
        {t('challenge.finished', { count: challenge.finished ?? 0 })}{' '}
        {challenge.median && lanes.length >= TELLING && t('challenge.middle', { result: rowText(challenge.median) })}
      </p>
      {challenge.race && (
        <Button icon="play" onClick={() => route.toReplay(...(challenge.race ?? ['', 0]))} text={t('challenge.replay')} />
      )}
    </section>
  )
}

/** For the guest who opened it: close it, and remove results. @param {{challenge: View}} props */
function Owner({ challenge }) {
  const { session } = useSite()
  const change = useCommand('change_challenge')
  const remove = useCommand('remove_try')
  const review = useCommand('review')
  const [password, setPassword] = useState('')
  const days = Math.round((challenge.closes_at - challenge.opens_at) / DAY)
  const lanes = lanesOf(challenge).filter(({ seat }) => seat > 1)
  const nameOf = (/** @type {number} */ number) => challenge.best?.[number]?.[0] ?? ''
  const shared = session.reviews.value.get(1)?.shared ?? []
  useEffect(() => void review.go(1), [challenge.tries])
  return (
    <section class="card challenge-part" aria-label={t('challenge.owner')}>
      <h2>{t('challenge.owner')}</h2>
      {shared.map((numbers) => (
        <p key={numbers.join()} class="hint">
          {t('challenge.sameAddress', { names: listText(numbers.map(nameOf).filter(Boolean)) })}
        </p>
      ))}
      {lanes.length > 0 && (
        <ul class="challenge-owner">
          {lanes.map(({ seat, name }) => (
            <li key={seat}>
              <Name seat={seat} name={name} />
              <ConfirmButton
                kind="small"
                text={t('challenge.remove')}
                question={t('challenge.removeQuestion', { name })}
                onYes={() => remove.go(seat)}
              />
            </li>
          ))}
        </ul>
      )}
      {!challenge.closed && (
        <>
          <Select
            label={t('challenge.open')}
            value={String(days)}
            options={WINDOWS.map((count) => [String(count), t('challenge.window', { count })])}
            onPick={(picked) => change.go(Number(picked))}
          />
          <Form class="challenge-part" onSubmit={() => change.go(days, password).then(() => setPassword(''))}>
            <PasswordField
              required={false}
              value={password}
              onInput={setPassword}
              hint={t(challenge.locked ? 'challenge.locked' : 'challenge.lock')}
            />
            <Button type="submit" kind="small" text={t('challenge.setPassword')} />
          </Form>
          {change.error && <Wrong>{change.error.message}</Wrong>}
          <ConfirmButton
            kind="small"
            text={t('challenge.end')}
            question={t('challenge.endQuestion')}
            disabled={change.busy}
            onYes={() => change.go(0)}
          />
        </>
      )}
    </section>
  )
}

/** @param {{code: string}} props */
export function Challenge({ code }) {
  const { session, route, visit, seats } = useSite()
  const view = session.view.value
  const challenge = view?.code === code ? view.challenge : null
  const own = session.ownTry.value
  const why = visit.why.value
  const isOpen = useNow(1000, (now) => !challenge || (!challenge.closed && now >= challenge.opens_at))
  const day = challenge?.day
  usePageTitle(!challenge ? code : day ? t('front.day.title') : t('challenge.title', { name: challenge.name }))

  if (view?.code === code && view.circle) return <Circle view={view} circle={view.circle} />
  if (!view || !challenge) {
    return (
      <Page name="challenge" main="narrow plain">
        <section class="card">{why ? <Wrong>{why.message}</Wrong> : <p role="status">{t('front.loading')}</p>}</section>
        <Button kind="quiet" onClick={route.toFront} text={t('front.join.frontPage')} />
      </Page>
    )
  }
  const knows = challenge.best !== undefined
  const room = seats.latest(undefined, own?.code)?.code
  const isOwner = own?.number === 1
  const game = gameName(view.settings.game)
  const finished = challenge.finished ?? 0
  const invite = knows && !challenge.closed && (
    <Invite code={code} path="/c" title={t(challenge.tries ? 'challenge.invite' : 'more.end.challenge')} />
  )
  const isRacing = own !== null && !knows
  return (
    <Page name="challenge" main="narrow challenge">
      <section class="card join-form">
        <div class="invitation">
          {t('front.site')} <Fan />
        </div>
        <h1>
          {day ? (
            t('challenge.day.heading', { game })
          ) : isOwner ? (
            t('challenge.own', { game })
          ) : (
            <Rich id="challenge.heading" with={{ name: <Name seat={1} name={challenge.name} />, game }} />
          )}
        </h1>
        {day && <DayFacts challenge={challenge} day={day} />}
        {challenge.result && (
          <p class="challenge-goal" translate={false}>
            {t(isOwner ? 'challenge.yours' : 'challenge.beat', { result: rowText(challenge.result) })}
          </p>
        )}
        {finished > 1 && own?.place != null && <PlaceBadge place={own.place} />}
        {finished > 1 && own?.place != null && (
          <p role="status">
            <b>{t('challenge.place', { place: own.place, count: finished })}</b>{' '}
            {finished >= TELLING && t('challenge.better', { percent: betterThan(own.place, finished) })}
          </p>
        )}
        <p>
          {t('challenge.tries', { count: challenge.tries })} <Closing challenge={challenge} />
        </p>
        {isRacing && isOpen && (
          <div class="row row-end">
            <Button kind="main large" onClick={() => route.toRoom(own.code)} text={t('challenge.goOn')} />
          </div>
        )}
        {!knows && !own && isOpen && <Start limit={view.settings.time_limit} locked={challenge.locked} />}
      </section>
      {isOwner && invite}
      {knows && <Standings challenge={challenge} own={own?.number ?? 0} />}
      {isOwner ? <Owner challenge={challenge} /> : invite}
      {room && <Button icon="back" onClick={() => route.toRoom(room)} text={t('race.room.backToIt')} />}
      {day && <Days here={day[0]} />}
      {knows && !day && <ChatCard view={view} seat={0} />}
    </Page>
  )
}
