/** A circle: its table, its open deals, and its members. */
import { useEffect, useState } from 'preact/hooks'
import { keepCircle } from '../browser/circles.js'
import { openRaces, PERIODS, tableOf } from '../model/circle.js'
import { gameName } from '../model/game-texts.js'
import { ChatCard } from '../parts/chat/chat.jsx'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton } from '../parts/controls/confirm-button.jsx'
import { save } from '../parts/controls/download-button.jsx'
import { Name } from '../parts/controls/face.jsx'
import { Field, Form, NameField, NumberField, option, Select, Switch, Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, useCommand, useLoaded, useNow, usePageTitle, useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { Invite } from '../parts/room/invite.jsx'
import { t } from '../words/translate.js'
import './challenge.css'

/** @import { Circle as View, View as Room } from '../protocol/protocol.d.ts' */

/** For a guest who is not a member. */
function Join() {
  const { session, prefs } = useSite()
  const [name, setName] = useState(prefs.name.value)
  const join = useAction(async () => {
    await session.ask('membership', 'join', 0, name.trim(), prefs.face.peek())
    prefs.name.value = name.trim()
  })
  return (
    <Form class="card challenge-part" onSubmit={join.go}>
      <NameField value={name} onInput={setName} required error={null} />
      {join.error && <Wrong>{join.error.message}</Wrong>}
      <div class="row row-end">
        <Button type="submit" kind="main large" disabled={join.busy} text={t('challenge.circle.join')} />
      </div>
    </Form>
  )
}

/** @param {{circle: View, own: number}} props */
function Table({ circle, own }) {
  const [period, setPeriod] = useState(/** @type {(typeof PERIODS)[number]} */ ('week'))
  const rows = useNow(60_000, (now) => tableOf(circle, period, now))
  return (
    <section class="card challenge-part" aria-label={t('challenge.circle.table')}>
      <h2>{t('challenge.circle.table')}</h2>
      <Select
        label={t('challenge.circle.period')}
        value={period}
        options={PERIODS.map((one) => option(one, t(`challenge.circle.period.${one}`)))}
        onPick={setPeriod}
      />
      {rows.length ? (
        <div class="results-scroll" tabindex={0} role="region" aria-label={t('challenge.circle.table')}>
          <table class="results circle-table">
            <thead>
              <tr>
                {
                  /** @type {const} */ (['place', 'name', 'points', 'wins', 'played']).map((column) => (
                    <th key={column} scope="col">
                      {t(`challenge.circle.column.${column}`)}
                    </th>
                  ))
                }
              </tr>
            </thead>
            <tbody>
              {rows.map(({ number, place, points, wins, played }) => (
                <tr key={number} data-own={number === own || undefined}>
                  <td>{place}</td>
                  <th scope="row">
                    <Name seat={number} name={circle.members?.[number]?.[0] ?? ''} />
                  </th>
                  <td>{points}</td>
                  <td>{wins}</td>
                  <td>{played}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <p>{t('challenge.circle.noScores')}</p>
      )}
      <p class="hint">{t('challenge.circle.how', { counted: circle.counted ?? 0 })}</p>
    </section>
  )
}

/**
 * What the members can play: the deal of the day, open challenges, a race together.
 * @param {{circle: View, code: string, leads: boolean, own: number}} props
 */
function Play({ circle, code, leads, own }) {
  const { route, visit, prefs, get } = useSite()
  const ask = useCommand('membership')
  const today = useLoaded(async () => (await (await get('/api/rooms')).json()).day, [])
  const race = useAction(() => visit.create(prefs.name.peek().trim(), { game: prefs.game.peek() }, { circle: code }))
  const waiting = useNow(60_000, (now) => openRaces(circle, own, now))
  return (
    <section class="card challenge-part" aria-label={t('challenge.circle.play')}>
      <h2>{t('challenge.circle.play')}</h2>
      <div class="row">
        {waiting.map(({ room, name }) => (
          <Button key={room} kind="main" icon="people" onClick={() => route.toRoom(room)}>
            {t('challenge.circle.joinRace', { name })}
          </Button>
        ))}
        {today && (
          <Button kind={waiting.length ? '' : 'main'} icon="crown" onClick={() => route.toChallenge(today.code)}>
            {t('front.day.title')}: {gameName(today.game)}
          </Button>
        )}
        <Button icon="people" {...race.button()} text={t('challenge.circle.race')} />
      </div>
      <ul class="challenge-owner">
        {Object.keys(circle.deals ?? {}).map((deal) => (
          <li key={deal}>
            <Button onClick={() => route.toChallenge(deal)} text={t('challenge.circle.deal', { code: deal })} />
            {leads && (
              <ConfirmButton
                kind="small"
                text={t('challenge.remove')}
                question={t('challenge.circle.dropQuestion', { code: deal })}
                onYes={() => ask.go('drop', 0, '', null, deal)}
              />
            )}
          </li>
        ))}
      </ul>
      {[race.error, ask.error].map((error) => error && <Wrong>{error.message}</Wrong>)}
    </section>
  )
}

/** @param {{circle: View, own: number, leads: boolean}} props */
function Members({ circle, own, leads }) {
  const ask = useCommand('membership')
  const { members = {}, leader } = circle
  return (
    <section class="card challenge-part" aria-label={t('challenge.circle.members')}>
      <h2>{t('challenge.circle.members')}</h2>
      <ul class="challenge-owner">
        {Object.entries(members).map(([key, [name, isLeading, isGone]]) => {
          const number = Number(key)
          return (
            !isGone && (
              <li key={key} data-member={key}>
                <span>
                  <Name seat={number} name={name} /> {isLeading && t('challenge.circle.leads')}
                </span>
                <div class="row">
                  {own === leader && number !== own && (
                    <Button
                      kind="small"
                      onClick={() => ask.go(isLeading ? 'dismiss' : 'appoint', number)}
                      text={t(isLeading ? 'challenge.circle.dismiss' : 'challenge.circle.appoint')}
                    />
                  )}
                  {leads && number !== own && number !== leader && (!isLeading || own === leader) && (
                    <ConfirmButton
                      kind="small"
                      text={t('challenge.remove')}
                      question={t('challenge.circle.removeQuestion', { name })}
                      onYes={() => ask.go('remove', number)}
                    />
                  )}
                </div>
              </li>
            )
          )
        })}
      </ul>
      {ask.error && <Wrong>{ask.error.message}</Wrong>}
      <div class="row">
        <Button
          kind="small"
          onClick={() => save(new Blob([JSON.stringify(circle)]), `circle-${circle.name}.json`)}
          text={t('challenge.circle.save')}
        />
        <ConfirmButton
          kind="small"
          text={t('challenge.circle.leave')}
          question={t('challenge.circle.leaveQuestion')}
          onYes={() => ask.go('leave')}
        />
      </div>
    </section>
  )
}

/** Changes the circle, for a member who leads. @param {{circle: View}} props */
function Change({ circle }) {
  const { session } = useSite()
  const [title, setTitle] = useState(circle.name)
  const [counted, setCounted] = useState(String(circle.counted))
  const [closed, setClosed] = useState(circle.closed)
  const change = useAction(() => session.ask('change_circle', title.trim(), Math.min(100, Number(counted) || 0), closed))
  return (
    <Form class="card challenge-part" onSubmit={change.go}>
      <Field label={t('challenge.circle.name')} value={title} onInput={setTitle} required />
      <NumberField label={t('challenge.circle.counted')} value={counted} onInput={setCounted} error={null} />
      <Switch label={t('challenge.circle.closed')} on={closed} onChange={setClosed} />
      {change.error && <Wrong>{change.error.message}</Wrong>}
      <Button type="submit" disabled={change.busy} text={t('challenge.circle.change')} />
    </Form>
  )
}

/** @param {{view: Room, circle: View}} props */
export function Circle({ view, circle }) {
  const own = useSite().session.ownTry.value?.number ?? 0
  const isMember = circle.members !== undefined
  const leads = circle.members?.[own]?.[1] ?? false
  usePageTitle(circle.name)
  useEffect(() => keepCircle(view.code, isMember ? circle.name : null), [view.code, circle.name, isMember])
  return (
    <Page name="circle" main="narrow challenge">
      <section class="card challenge-part">
        <h1>
          <bdi>{circle.name}</bdi>
        </h1>
        <p>{t('challenge.circle.count', { count: circle.count })}</p>
        {!isMember && <p>{t('challenge.circle.what')}</p>}
        {circle.closed && <p>{t('challenge.circle.closed')}</p>}
      </section>
      {isMember ? (
        <>
          {circle.count === 1 && <Invite code={view.code} path="/c" title={t('challenge.circle.invite')} />}
          <Play circle={circle} code={view.code} leads={leads} own={own} />
          <Table circle={circle} own={own} />
          <Members circle={circle} own={own} leads={leads} />
          {circle.count > 1 && <Invite code={view.code} path="/c" title={t('challenge.circle.invite')} />}
          {leads && <Change key={`${circle.name} ${circle.counted} ${circle.closed}`} circle={circle} />}
          <ChatCard view={view} seat={0} />
        </>
      ) : (
        !circle.closed && <Join />
      )}
    </Page>
  )
}
