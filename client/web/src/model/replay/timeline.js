/**
 * The axes of a replay: time, or the cards of the stock. Along the stock, all racers draw the same card at the same moment, and
 * the entries between two cards are spread evenly.
 *
 * A position is a number from 0 to the length of the axis. For each racer it gives the number of entries of the log so far.
 */
import { places } from '../../rules/ranking.js'
import { countUpTo, laneAt, lineOf } from './racer-line.js'

/**
 * @import { Line } from './racer-line.js'
 * @import { RaceRecord } from '../../record/race-record.js'
 * @import { Lane } from '../race/room-view.js'
 * @typedef {object} Axis
 * @property {'time' | 'stock'} key @property {number} length @property {number} pace the progress in a ms at speed 1
 * @property {(line: Line, position: number) => number} count entries that have happened
 * @property {(line: Line, n: number) => number} place the position just after `n` entries
 */

/** The speed along the stock. */
const CARDS_PER_SECOND = 0.8

/** The rounding error, in entries, of computing a position from a number of entries and back. */
const LOST = 1e-9

/** @param {readonly Line[]} lines @param {number} over how long the race took, ms @returns {Axis} */
const timeAxis = (lines, over) => ({
  key: 'time',
  length: Math.max(over, ...lines.map((line) => line.times.at(-1) ?? 0)),
  pace: 1,
  count: (line, position) => line.at(position),
  place: (line, n) => (n > 0 ? line.times[n - 1] : 0),
})

/** The entries with a new stock card, and the end. @param {Line} line @returns {{cards: number[], entries: number[]}} */
function stopsOf({ drawn, length }) {
  const cards = [0]
  const entries = [0]
  drawn.forEach((card, n) => {
    if (card <= cards[cards.length - 1]) return
    cards.push(card)
    entries.push(n)
  })
  // The entries after the last card take as long as the entries after any other card.
  if (length > entries[entries.length - 1]) {
    cards.push(cards[cards.length - 1] + 1)
    entries.push(length)
  }
  return { cards, entries }
}

/**
 * The value in `to` for the value `far` in `from`, which rises: interpolated between two items, or the last item at the end.
 * @param {readonly number[]} from @param {readonly number[]} to @param {number} far
 */
function across(from, to, far) {
  const i = countUpTo(from, far) - 1
  if (i + 1 >= to.length) return to[i]
  return to[i] + ((far - from[i]) / (from[i + 1] - from[i])) * (to[i + 1] - to[i])
}

/** @param {readonly Line[]} lines @returns {Axis} */
function stockAxis(lines) {
  const all = new Map(lines.map((line) => [line, stopsOf(line)]))
  const stops = (/** @type {Line} */ line) => all.get(line) ?? stopsOf(line)
  return {
    key: 'stock',
    length: Math.max(0, ...lines.map((line) => stops(line).cards.at(-1) ?? 0)),
    pace: CARDS_PER_SECOND / 1000,
    count: (line, position) => Math.floor(across(stops(line).cards, stops(line).entries, position) + LOST),
    place: (line, n) => across(stops(line).entries, stops(line).cards, n),
  }
}

/**
 * The nearest position at which at least one of these boards is one entry further, or one back.
 * @param {Axis} axis @param {readonly Line[]} lines @param {number} position @param {1 | -1} by
 */
export function stepFrom(axis, lines, position, by) {
  const counts = lines.map((line) => ({ line, n: axis.count(line, position) }))
  if (by > 0) {
    return Math.min(axis.length, ...counts.filter(({ line, n }) => n < line.length).map(({ line, n }) => axis.place(line, n + 1)))
  }
  const latest = Math.max(0, ...counts.map(({ line, n }) => axis.place(line, n)))
  return Math.max(0, ...counts.map(({ line, n }) => placeBefore(axis, line, n, latest)))
}

/** The last of `n` entries before a position. @param {Axis} axis @param {Line} line @param {number} n @param {number} position */
function placeBefore(axis, line, n, position) {
  let at = n
  while (at > 0 && axis.place(line, at) >= position) at -= 1
  return axis.place(line, at)
}

// A finished race, prepared for a replay.

/**
 * @typedef {object} Timeline
 * @property {RaceRecord} record @property {readonly number[]} seats
 * @property {readonly Line[]} lines by seat, in the same order
 * @property {(seat: number) => Line} line @property {{time: Axis, stock: Axis}} axes
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

/** Whether the race has ended for a racer at a position. @param {Axis} axis @param {Line} line @param {number} position */
export const isDone = (axis, line, position) => position >= (axis.key === 'time' ? line.ended : axis.place(line, line.length))

/** When the racer reached the cards home after `n` entries, ms since the start. @param {Line} line @param {number} n */
function reached({ home, times }, n) {
  let at = n
  while (at > 0 && home[at - 1] === home[n]) at -= 1
  return at > 0 ? times[at - 1] : 0
}

/**
 * The racers at a position, the best first, by the rule of the race. Later entries have no influence.
 * @param {Timeline} timeline @param {Axis} axis @param {number} position @returns {(Lane & {rank: number})[]}
 */
export function standingsAt({ lines }, axis, position) {
  const counts = new Map(lines.map((line) => [line.racer.seat, axis.count(line, position)]))
  const results = lines.map((line) => {
    const n = /** @type {number} */ (counts.get(line.racer.seat))
    const solved = isDone(axis, line, position) && line.racer.state === 'solved'
    const result = { solved, when: line.ended, home: line.home[n], reached_at: reached(line, n), moves: n }
    return /** @type {const} */ ([line.racer.seat, result])
  })
  // Racers without a move are behind all others.
  const ranks = places(new Map(results.filter(([, { moves }]) => moves > 0)))
  const lanes = lines.map((line) => {
    const { seat } = line.racer
    const lane = laneAt(line, counts.get(seat) ?? 0, isDone(axis, line, position))
    return { ...lane, rank: ranks.get(seat) ?? ranks.size + 1 }
  })
  return lanes.sort((a, b) => a.rank - b.rank || a.seat - b.seat)
}
