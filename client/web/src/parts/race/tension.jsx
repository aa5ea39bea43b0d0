/** The tension of a race: short messages to the player, and a large clock. */
import { effect } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { clockText, finishText } from '../../model/format.js'
import { rivalWins, toGo } from '../../model/race/rivals.js'
import { racerAt } from '../../model/race/room-view.js'
import { createMoments, isClose, momentText } from '../../model/race/tension.js'
import { Rich } from '../../words/sentence.jsx'
import { t } from '../../words/translate.js'
import { useFeedback } from '../board/use-feedback.js'
import { FaceOf, Name } from '../controls/face.jsx'
import { Icon } from '../controls/icon.jsx'
import { useLater, useNow, useSite } from '../hooks.js'
import './tension.css'

/** @import { Lane } from '../../model/race/room-view.js' */
/** @import { Moment } from '../../model/race/tension.js' */
/** @import { Shown } from '../../net/own-board.js' */
/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { ReadonlySignal } from '@preact/signals' */

const LOOK = 250 // how often a moment may come, in ms
const SHOWN_FOR = 3000 // how long a moment is shown, in ms
const WIN_FOR = 6000 // how long a rival's win is shown, in ms
const LAST = 30 // the last seconds of a race
const VERY_LAST = 10
const FACES = 2 // as many as names in a moment

const MOVES_FOR = 500 // how long a lane moves, in ms

/** The lanes move and flash when their order changes, unless motion is reduced. @param {readonly Lane[]} lanes */
export function useMovingLanes(lanes) {
  /** Where each lane was. @type {{current: Map<Element, [number, number]>}} */
  const before = useRef(new Map())
  useLayoutEffect(() => {
    const shown = [...document.querySelectorAll('.race-lanes [data-lane]')].map((lane) => /** @type {HTMLElement} */ (lane))
    const now = new Map(shown.map((lane) => /** @type {const} */ ([lane, [lane.offsetLeft, lane.offsetTop]])))
    const isStill = matchMedia('(prefers-reduced-motion)').matches
    for (const [lane, [left, top]] of isStill ? [] : now) {
      const [x, y] = [(before.current.get(lane)?.[0] ?? left) - left, (before.current.get(lane)?.[1] ?? top) - top]
      const filter = x + y > 0 ? 'brightness(1.6)' : 'brightness(0.75)'
      if (x || y)
        lane.animate([{ transform: `translate(${x}px, ${y}px)`, filter }, {}], { duration: MOVES_FOR, easing: 'ease-out' })
    }
    before.current = /** @type {Map<Element, [number, number]>} */ (/** @type {unknown} */ (now))
  }, [lanes.map(({ seat }) => seat).join()])
}

/** @param {Moment} moment */
const isRivals = ({ kind, names }) => kind !== 'youPass' && names.length > 0

/**
 * What happens between the player and the rivals, beside the board. Screen readers get it from `News`.
 * @param {{view: View, seat: number, lanes: Lane[], board: ReadonlySignal<Shown | null>}} props
 */
export function Moments({ view, seat, lanes, board }) {
  const { session } = useSite()
  const { number } = view.race
  const [moment, setMoment] = useState(/** @type {Moment | null} */ (null))
  const give = useFeedback()
  const latest = useRef(lanes)
  latest.current = lanes
  const moments = useMemo(createMoments, [number])
  useMovingLanes(lanes)
  // Before the first progress of a race arrives, all racers seem to be equal.
  const knows = session.rivals.value.race === number && racerAt(view, seat)?.state === 'racing'
  useEffect(
    () =>
      effect(() => {
        const now = board.value?.board
        if (now) moments.played(now.home, now.movesMade, session.clock.now())
      }),
    [board, moments],
  )
  useEffect(() => {
    if (!knows) return
    const timer = setInterval(() => {
      const next = moments.next(latest.current, seat, session.clock.now())
      if (!next) return
      setMoment(next)
      give(isRivals(next) ? 'passed' : next.kind === 'youPass' ? 'pass' : 'run')
    }, LOOK)
    return () => clearInterval(timer)
  }, [moments, seat, knows])
  useLater(() => setMoment(null), SHOWN_FOR, [moment])
  // The large clock shows the first win.
  const told = view.settings.after_win ? 1 : 0
  const wins = useNow(LOOK, (now) => rivalWins(view, seat).filter(({ at }, i) => i >= told && now - at < WIN_FOR))
  return (
    <div class="moments" aria-hidden="true">
      {wins.map(({ seat, name, ms }) => (
        <p key={seat} class="toast" data-part="toast">
          <Icon name="crown" />
          <span>
            <Rich id="race.wonIn" with={{ name: <Name seat={seat} name={name} />, time: finishText(ms) }} />
          </span>
        </p>
      ))}
      {moment && !wins.length && (
        <p class="toast" data-moment={moment.kind} data-rival={isRivals(moment) || undefined} data-part="moment">
          {moment.seats.slice(0, FACES).map((seat) => (
            <FaceOf key={seat} seat={seat} />
          ))}
          <span>{momentText(moment)}</span>
        </p>
      )}
    </div>
  )
}

/** For spectators, beside the boards: the leader is near the win, or the first two are close. @param {{lanes: ReadonlySignal<Lane[]>}} props */
export function CloseRace({ lanes }) {
  const [first, second] = lanes.value
  const count = toGo(first)
  if (!count && !isClose(lanes.value)) return null
  const name = <Name seat={first.seat} name={first.name} />
  return (
    <div class="moments" aria-hidden="true">
      <p class="toast" data-part="close" translate={false}>
        <span>
          {count ? (
            <Rich id="more.moment.near" with={{ own: false, name, count }} />
          ) : (
            <>
              {name} {first.home} : {second.home} <Name seat={second.seat} name={second.name} />
            </>
          )}
        </span>
      </p>
    </div>
  )
}

/** For a `ref`: the page makes room for the clock. A `:has` would make each change of the page slow. @param {any} clock */
function makeRoom(clock) {
  const { dataset } = clock.closest('main')
  dataset.clock = ''
  return () => void delete dataset.clock
}

/**
 * The time that is left, large: after a rival's win, and at the end.
 * @param {{view: View, seat: number}} props seat: 0: a spectator
 */
export function BigClock({ view, seat }) {
  const { race, settings } = view
  const give = useFeedback()
  const left = useNow(100, (now) => (race.ends_at == null ? Infinity : Math.max(0, Math.ceil((race.ends_at - now) / 1000))))
  const racing = racerAt(view, seat)?.state === 'racing'
  const [win] = settings.after_win ? rivalWins(view, seat) : []
  const last = left <= VERY_LAST ? VERY_LAST : left <= LAST ? LAST : 0
  useEffect(() => {
    if (racing && last && left) give('tick')
  }, [left, racing, give])
  if (race.over_at != null || (seat && !racing) || !(win || last)) return null
  return (
    <p class="big-clock" ref={makeRoom} data-last={last || undefined} data-part="big-clock">
      {win && (
        <span class="big-clock-won">
          <Icon name="crown" />
          <Rich id="more.moment.won" with={{ name: <Name seat={win.seat} name={win.name} /> }} />
        </span>
      )}
      <b role="timer" translate={false} key={left}>
        {last === VERY_LAST ? clockText(left * 1000) : t('race.page.left', { time: clockText(left * 1000) })}
      </b>
      <span class="heard" role="status">
        {last > 0 && t('more.moment.left', { count: last })}
      </span>
    </p>
  )
}
