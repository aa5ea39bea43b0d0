import { useEffect, useRef, useState } from 'preact/hooks'
import { clockText, finishText, listText } from '../../model/format.js'
import * as raceEnd from '../../model/race/race-end.js'
import { rivalWins } from '../../model/race/rivals.js'
import { isBlind, racerAt } from '../../model/race/room-view.js'
import { homeText } from '../../model/race/rule-texts.js'
import { ABSENT_AFTER, IDLE_AFTER, TAKE_BACK_WITHIN } from '../../protocol/constants.js'
import { Rich } from '../../words/sentence.jsx'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { ConfirmButton } from '../controls/confirm-button.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { useCommand, useDerived, useNow, useSite } from '../hooks.js'
import './end-race.css'

/** @import { View } from '../../protocol/protocol.d.ts' */

/** @param {{felt: boolean | undefined, question: string, disabled: boolean, onYes: () => void}} props felt: on the felt of the table */
const EndButton = ({ felt, ...props }) => (
  <ConfirmButton kind={felt && 'felt small'} icon="flag" yes={t('more.ending.yes')} text={t('more.ending.end')} {...props} />
)

/** The host ends the race for all. @param {{view: View, felt?: boolean}} props */
export function EndForAll({ view, felt }) {
  const { session } = useSite()
  const end = useCommand('end_race')
  const isDealt = useNow(500, (now) => now >= (view.race.starts_at ?? now))
  if (!session.isHost.value || view.tournament || view.arena || view.race.over_at != null) return null
  const question = t(felt || !isDealt ? 'more.ending.question' : 'more.ending.questionInFull')
  return (
    <>
      <EndButton felt={felt} question={question} disabled={end.busy} onYes={() => end.go()} />
      {end.error && <Wrong>{end.error.message}</Wrong>}
    </>
  )
}

/**
 * A racer agrees to end the race, or takes that back.
 * @param {{view: View, seat: number, felt?: boolean, onDone?: () => void}} props
 */
export function AgreeToEnd({ view, seat, felt, onDone }) {
  const agree = useCommand('agree_to_end')
  const on = raceEnd.agrees(view, seat)
  const ends = useNow(1000, (now) => !on && raceEnd.nobodyAnswers(view, seat, now))
  if (racerAt(view, seat)?.state !== 'racing' || !raceEnd.hasOthersToAsk(view, seat)) return null
  const text = on ? 'playOn' : raceEnd.othersWhoAgree(view, seat).length > 0 ? 'agree' : 'askAll'
  const say = async () => (await agree.go(!on)) && onDone?.()
  return (
    <>
      {ends ? (
        <EndButton felt={felt} question={t('more.ending.question')} disabled={agree.busy} onYes={say} />
      ) : (
        <Button kind={felt && 'felt small'} disabled={agree.busy} onClick={say} text={t(`more.ending.${text}`)} />
      )}
      {agree.error && <Wrong>{agree.error.message}</Wrong>}
    </>
  )
}

/** The buttons that end a race, in the options. @param {{view: View, onDone: () => void}} props */
export function EndRace({ view, onDone }) {
  const seat = useSite().session.seat.value
  return (
    <div class="end-race" data-part="end-race">
      <AgreeToEnd view={view} seat={seat} onDone={onDone} />
      <EndForAll view={view} />
    </div>
  )
}

/** News about a race that may end soon, with the buttons to agree. @param {{view: View, seat: number}} props */
export function EndNews({ view, seat }) {
  const others = raceEnd.othersWhoAgree(view, seat)
  const racing = racerAt(view, seat)?.state === 'racing'
  const [win] = rivalWins(view, seat)
  const offers = useNow(1000, (now) => racing && raceEnd.hasOthersToAsk(view, seat) && raceEnd.mayWantToEnd(view, seat, now))
  const awaySince = racing ? null : raceEnd.allAwaySince(view)
  const left = useNow(500, (now) => (awaySince === null ? 0 : Math.max(0, awaySince + ABSENT_AFTER - now)))
  if (racing && (others.length > 0 || raceEnd.agrees(view, seat))) {
    return (
      <span class="end-news" data-part="end-vote">
        <span class="end-news-words">
          {others.length > 0
            ? t('more.ending.othersWant', { count: others.length, names: listText(others) })
            : t('more.ending.youWant')}
        </span>
        <AgreeToEnd view={view} seat={seat} felt />
      </span>
    )
  }
  if (racing && (win || offers)) {
    const winText = view.settings.after_win > 0 ? 'more.ending.wonAndEnds' : 'more.news.wonIn'
    return (
      <span class="end-news" data-part={win ? 'win' : 'end-offer'}>
        {win && (
          <span class={view.settings.after_win > 0 ? 'heard' : 'end-news-words'}>
            <Rich id={winText} with={{ name: <bdi>{win.name}</bdi>, time: finishText(win.ms) }} />
          </span>
        )}
        {offers && <AgreeToEnd view={view} seat={seat} felt />}
      </span>
    )
  }
  return (
    <>
      {left > 0 && !view.tournament && <span class="end-news">{t('more.ending.allAway', { time: clockText(left) })}</span>}
      {!racing && <EndForAll view={view} felt />}
    </>
  )
}

/** The undo of giving up, while it is possible. @param {{until: number}} props */
function TakeBack({ until }) {
  const takeBack = useCommand('take_back')
  const left = useNow(500, (now) => Math.ceil((until - now) / 1000))
  return (
    <>
      {left > 0 && (
        <Button kind="felt small" {...takeBack.button()}>
          {t('more.own.takeBack')} <span aria-hidden="true">({left})</span>
        </Button>
      )}
      {takeBack.error?.message}
    </>
  )
}

/** How the player's race ended. @param {{view: View, seat: number, home: number}} props home: cards on foundations */
export function OwnEnd({ view, seat, home }) {
  const racer = racerAt(view, seat)
  if (!racer) return null
  if (racer.state === 'racing') {
    return (
      <>
        {t('more.own.gave_up')}
        {racer.gave_up_at != null && <TakeBack until={racer.gave_up_at + TAKE_BACK_WITHIN} />}
      </>
    )
  }
  const rivals = isBlind(view) ? [] : Object.entries(view.race.racers ?? {}).filter(([one]) => Number(one) !== seat)
  const racing = rivals.filter(([, { state }]) => state === 'racing').length
  const others = racing ? t('more.own.stillRacing', { count: racing }) : ''
  if (racer.state === 'solved') {
    const at = racer.finished_at ?? 0
    const isFirst = !isBlind(view) && rivalWins(view, seat).every((win) => win.at >= at)
    const time = finishText(at - (view.race.starts_at ?? 0))
    return (
      <>
        <b>{t(isFirst ? 'more.own.wonIn' : 'more.own.finishedIn', { time })}</b> {others}
      </>
    )
  }
  return (
    <>
      <b>
        {t(`more.own.${racer.state}`)} {t('more.own.home', { cards: homeText(racer.home ?? home) })}
      </b>{' '}
      {others}
    </>
  )
}

/** Whether spectators may continue without this idle racer, and the undo. @param {{view: View, seat: number}} props */
export function StandAside({ view, seat }) {
  const { session } = useSite()
  const aside = useCommand('stand_aside')
  const racer = racerAt(view, seat)
  const { moves, holds } = useDerived(() => {
    const { race, rows } = session.progress.value
    const known = race === view.race.number ? rows : {}
    const holds = raceEnd.isWatched(view, session.watchers.value) && raceEnd.holdsBack(view, known, seat)
    return { moves: known[seat]?.moves ?? 0, holds }
  }, [view, seat])
  const [movedAt, setMovedAt] = useState(session.clock.now)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) setMovedAt(session.clock.now())
    isFirst.current = false
  }, [moves])
  const idle = useNow(1000, (now) => now - Math.max(movedAt, view.race.starts_at ?? 0) >= IDLE_AFTER)

  if (racer?.state !== 'racing' || racer.gave_up_at != null) return null
  const on = raceEnd.standsAside(view, seat, moves)
  if (!on && !(idle && holds)) return null
  const text = t(on ? 'more.aside.stillHere' : 'more.aside.dontWait')
  return (
    <span class="stand-aside" data-part="stand-aside">
      <span>{t(on ? 'more.aside.on' : 'more.aside.waiting')}</span>
      <Button kind="felt small" {...aside.button(!on)} text={text} />
      {aside.error && <Wrong>{aside.error.message}</Wrong>}
    </span>
  )
}
