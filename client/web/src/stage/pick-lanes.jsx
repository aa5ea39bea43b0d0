import { useEffect, useRef } from 'preact/hooks'
import { finishText } from '../model/format.js'
import { chosenLanes, leaderOf } from '../model/race/room-view.js'
import { stateText } from '../model/race/rule-texts.js'
import { Name } from '../parts/controls/face.jsx'
import { LaneHome, LaneMoves, laneState } from '../parts/race/racer-lanes.jsx'
import { t } from '../words/translate.js'

/** @import { Lane } from '../model/race/room-view.js' */

/** Scrolls the lanes sideways, never the page. @param {HTMLElement} list @param {HTMLElement} lane */
function bringIntoView(list, { offsetLeft, offsetWidth }) {
  if (list.scrollWidth > list.clientWidth) list.scrollLeft = offsetLeft - (list.clientWidth - offsetWidth) / 2
}

/**
 * The progress of all racers; each lane opens its board.
 * @param {{lanes: readonly Lane[], chosen: number, marked: number, onPick: (seat: number) => void}} props lanes: in the order of
 *   the race; chosen: 0: nobody; marked: the board that is shown if only one fits
 */
export function PickLanes({ lanes, chosen, marked, onPick }) {
  // A winner is not the leader of the others.
  const leader = lanes.some((lane) => lane.state === 'racing') ? leaderOf([...lanes]) : 0
  const list = useRef(/** @type {HTMLOListElement | null} */ (null))
  const last = useRef(marked)
  useEffect(() => {
    // A new spectator sees the leaders first.
    if (last.current === marked) return
    last.current = marked
    const lane = list.current?.querySelector(`[data-lane='${marked}']`)
    if (lane instanceof HTMLElement && list.current) bringIntoView(list.current, lane)
  }, [marked])
  const rows = chosenLanes([...lanes], 0, Infinity)
  const first = lanes.find((lane) => lane.state === 'racing')
  return (
    <ol class="picks lanes" aria-label={t('race.page.racers')} ref={list}>
      {rows.map(({ lane, rank }) => (
        <li key={lane.seat} data-lane={lane.seat} data-state={lane.state}>
          <button
            type="button"
            class="lane"
            data-lead={lane.seat === leader || undefined}
            data-state={lane.state}
            data-marked={lane.seat === marked || undefined}
            aria-pressed={lane.seat === chosen}
            onClick={() => onPick(lane.seat)}
          >
            <span class="lane-rank" aria-hidden="true">
              {rank}
            </span>
            <span class="lane-name">
              <Name seat={lane.seat} name={lane.name} />
            </span>
            <span class="lane-state">{laneState({ lane })}</span>
            <LaneHome {...lane} against={first && lane.home < first.home ? first.home : undefined} />
            <LaneMoves lane={lane} lead={lane.seat === leader} stock={lane.state === 'racing' ? lane.stock : null} />
          </button>
        </li>
      ))}
    </ol>
  )
}

/** The end of a racer's race, on the board. @param {{lane: Pick<Lane, 'state' | 'ms' | 'early'>}} props */
export const TileState = ({ lane: { state, ms, early } }) =>
  state !== 'racing' && (
    <b class="tile-state" data-state={state}>
      {state === 'solved' && ms !== null ? finishText(ms) : stateText(state, early)}
    </b>
  )
