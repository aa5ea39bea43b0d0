/** A race as an overlay of a stream: lanes or a board, without any input. */

import { useEffect, useMemo, useRef } from 'preact/hooks'
import { clockText, finishText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { chosenLanes, isBlind } from '../model/race/room-view.js'
import { stateText } from '../model/race/rule-texts.js'
import { lanesToCome, overlayOf, seatShown } from '../model/watch/overlay.js'
import { Name } from '../parts/controls/face.jsx'
import { useDerived, useLaneSignal, useNow, useOfRace, usePhase, useSite } from '../parts/hooks.js'
import { useMark } from '../parts/screen.js'
import { WatchedBoard } from './board.jsx'
import './overlay.css'

/** @import { View } from '../protocol/protocol.d.ts' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { ReadonlySignal } from '@preact/signals' */

const AGAIN_AFTER = 15_000 // the time until an automatic retry, because no one can tap, ms

/** @param {Lane} lane */
const endOf = ({ state, ms, early }) =>
  state === 'solved' && ms !== null ? finishText(ms) : state === 'racing' ? '' : stateText(state, early)

/** @param {{view: View}} props */
function Clock({ view }) {
  const { starts_at: starts, over_at: over } = view.race
  const text = useNow(250, (now) => {
    if (starts == null) return ''
    const ms = (over ?? now) - starts
    return ms < 0 ? `−${Math.ceil(-ms / 1000)}` : clockText(ms)
  })
  return <p class="overlay-clock">{text}</p>
}

/** @param {{lanes: ReadonlySignal<Lane[]>, most: number}} props */
function OverlayLanes({ lanes, most }) {
  const rows = useDerived(
    () =>
      chosenLanes(lanes.value, 0, most).map(({ lane, rank }) => ({
        seat: lane.seat,
        rank,
        name: lane.name,
        home: lane.home,
        end: endOf(lane),
      })),
    [lanes, most],
  )
  return (
    <ol class="overlay-lanes">
      {rows.map(({ seat, rank, name, home, end }) => (
        <li key={seat} data-lane={seat}>
          <span class="overlay-rank">{rank}</span>
          <Name seat={seat} name={name} />
          <span class="overlay-end">{end}</span>
          <b>{home}</b>
          <span class="overlay-bar" style={{ '--home': home }} />
        </li>
      ))}
    </ol>
  )
}

/** @param {{view: View, lanes: ReadonlySignal<Lane[]>, wanted: import('../model/watch/overlay.js').Overlay['board']}} props */
function OverlayBoard({ view, lanes, wanted }) {
  const shown = useRef({ seat: 0, since: 0 })
  const seat = useNow(500, (now) => {
    const next = seatShown(wanted, lanes.peek(), shown.current, now)
    if (next !== shown.current.seat) shown.current = { seat: next, since: now }
    return next
  })
  const gallery = useOfRace('gallery', view.race.number)
  const lane = useDerived(() => lanes.value.find((one) => one.seat === seat) ?? null, [lanes, seat])
  const isShown = useDerived(() => gallery.value?.start != null, [gallery])
  if (!lane) return null
  return (
    <>
      <p class="overlay-head">
        <Name seat={lane.seat} name={lane.name} /> <b>{lane.home}</b> <span class="overlay-end">{endOf(lane)}</span>
      </p>
      {isShown && (
        <div class="overlay-board" inert>
          <WatchedBoard key={seat} gallery={gallery} seat={seat} game={view.settings.game} />
        </div>
      )}
    </>
  )
}

/** @param {{view: View}} props */
function OverlayRace({ view }) {
  const wanted = useMemo(() => overlayOf(location.search), [])
  const phase = usePhase(view)
  const lanes = useLaneSignal(view.race.number, lanesToCome)
  const isBoardDue = wanted.board !== null && (phase === 'racing' || phase === 'over')
  return (
    <main
      class="overlay"
      data-page="overlay"
      data-board={wanted.board ? '' : undefined}
      style={{ '--width': `${wanted.width}px`, fontSize: `${wanted.scale}rem` }}
    >
      <h1 class="heard">{gameName(view.settings.game)}</h1>
      {phase !== 'lobby' && <Clock view={view} />}
      {!isBlind(view) && isBoardDue && <OverlayBoard view={view} lanes={lanes} wanted={wanted.board} />}
      {!isBlind(view) && !isBoardDue && <OverlayLanes lanes={lanes} most={wanted.lanes} />}
    </main>
  )
}

/** @param {{code: string}} props */
export function Overlay({ code }) {
  useMark('overlay')
  const { session, visit } = useSite()
  const view = session.view.value
  const isIn = view?.code === code
  const connection = session.connection.value.is
  const why = visit.why.value

  useEffect(() => {
    if (!why && connection !== 'stopped') return
    const timer = setTimeout(() => (connection === 'stopped' ? location.reload() : visit.watch('')), AGAIN_AFTER)
    return () => clearTimeout(timer)
  }, [why, connection])

  return view && isIn ? <OverlayRace view={view} /> : <main class="overlay" data-page="overlay" />
}
