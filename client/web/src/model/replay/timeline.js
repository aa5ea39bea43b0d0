/** A race that is over, as it can be seen again. */
import { places } from '../../rules/ranking.js'
import { stockAxis, timeAxis } from './axis.js'
import { laneAt, lineOf } from './racer-line.js'

/**
 * @import { RaceRecord } from '../../record/race-record.js'
 * @import { Lane } from '../room-view.js'
 * @import { Axis } from './axis.js'
 * @import { Line } from './racer-line.js'
 */

/**
 * @typedef {object} Timeline
 * @property {RaceRecord} record
 * @property {readonly number[]} seats
 * @property {readonly Line[]} lines by seat, in the same order
 * @property {(seat: number) => Line} line
 * @property {{time: Axis, stock: Axis}} axes
 */

/** @param {RaceRecord} record @returns {Timeline} */
export function timelineOf(record) {
  const seats = record.racers.map((racer) => racer.seat)
  const bySeat = new Map(seats.map((seat) => [seat, lineOf(record, seat)]))
  const lines = [...bySeat.values()]
  return {
    record,
    seats,
    lines,
    line: (seat) => bySeat.get(seat) ?? lines[0],
    axes: { time: timeAxis(lines, record.over_at - record.starts_at), stock: stockAxis(lines) },
  }
}

/** Whether a racer's race has ended by then. @param {Axis} axis @param {Line} line @param {number} position */
export function isDone(axis, line, position) {
  return axis.key === 'time' ? position >= line.ended : position >= axis.place(line, line.length)
}

/**
 * When the count of cards home that stands after `n` entries was reached, ms since the start.
 *
 * @param {Line} line @param {number} n
 */
function reached({ home, times }, n) {
  let at = n
  while (at > 0 && home[at - 1] === home[n]) at -= 1
  return at > 0 ? times[at - 1] : 0
}

/**
 * How everybody was doing, the best first, by the rule of the race. Nothing of what comes later is in it.
 *
 * @param {Timeline} timeline @param {Axis} axis @param {number} position
 * @returns {(Lane & {rank: number})[]}
 */
export function standingsAt({ lines }, axis, position) {
  const counts = new Map(lines.map((line) => [line.racer.seat, axis.count(line, position)]))
  const results = lines.map((line) => {
    const n = /** @type {number} */ (counts.get(line.racer.seat))
    const solved = isDone(axis, line, position) && line.racer.state === 'solved'
    const result = { solved, when: line.ended, home: line.home[n], reached_at: reached(line, n), moves: n }
    return /** @type {const} */ ([line.racer.seat, result])
  })
  // Whoever has made no move yet is behind all who have.
  const ranks = places(new Map(results.filter(([, { moves }]) => moves > 0)))
  const lanes = lines.map((line) => {
    const { seat } = line.racer
    const lane = laneAt(line, counts.get(seat) ?? 0, isDone(axis, line, position))
    return { ...lane, rank: ranks.get(seat) ?? ranks.size + 1 }
  })
  return lanes.sort((a, b) => a.rank - b.rank || a.seat - b.seat)
}
