/** The important moments of a finished race. */
import { createOvertaking } from '../watch/overtaking.js'

/**
 * @import { Line } from './racer-line.js'
 * @import { Timeline } from './timeline.js'
 * @typedef {object} Happening
 * @property {'revealed' | 'overtook' | 'ended' | 'late' | 'gave_up' | 'took_back'} kind
 * @property {number} ms since the start.
 * @property {number} seat @property {number} n the number of entries in this seat's log at that time.
 * @property {readonly number[]} [others] the seats that this racer overtook.
 * @property {boolean} [leads] whether this racer now leads.
 * @property {readonly number[]} [cards] the revealed cards.
 * @property {number} [stock] the number of the last of them in the stock, from 1; 0: it lay in a column
 */

/** The happenings, in the order of time. @param {Timeline} timeline @returns {Happening[]} */
export function happeningsOf(timeline) {
  const { record, lines } = timeline
  /** @type {Happening[]} */
  const all = [...reveals(lines), ...overtakings(lines), ...ends(lines)]
  for (const [at, name, seat] of record.events) {
    const ms = at - record.starts_at
    const kind = name === 'started_late' ? 'late' : name
    // Leaving, removal and a final give-up are already reported as the end.
    if (kind === 'late' || kind === 'took_back' || (kind === 'gave_up' && timeline.line(seat).ended !== ms)) {
      all.push({ kind, ms, seat, n: timeline.line(seat).at(ms) })
    }
  }
  return all.sort((a, b) => a.ms - b.ms || a.n - b.n)
}

/** The sorts of happenings to choose from. */
export const SORTS = /** @type {const} */ ({
  overtaking: ['overtook'],
  ends: ['ended', 'late', 'gave_up', 'took_back'],
  cards: ['revealed'],
})

/**
 * The happenings of some sorts. Revealed cards are those of the chosen racer. Without one, each card of the stock is reported for
 * the first racer to draw it.
 * @param {readonly Happening[]} all @param {readonly (keyof typeof SORTS)[]} sorts @param {number} seat 0: none
 */
export function chosenFrom(all, sorts, seat) {
  const kinds = new Set(/** @type {string[]} */ (sorts.flatMap((sort) => SORTS[sort])))
  let first = 0
  return all.filter(({ kind, seat: who, stock = 0 }) => {
    if (!kinds.has(kind)) return false
    if (kind !== 'revealed' || seat) return kind !== 'revealed' || who === seat
    const isFirst = stock > first
    first = Math.max(first, stock)
    return isFirst
  })
}

/** @param {readonly Line[]} lines @returns {Happening[]} */
const reveals = (lines) =>
  lines.flatMap((line) =>
    line.reveals.map(({ n, cards, column }) => ({
      kind: /** @type {const} */ ('revealed'),
      ms: line.times[n - 1],
      seat: line.racer.seat,
      n,
      cards,
      stock: column ? 0 : line.drawn[n],
    })),
  )

/** @param {readonly Line[]} lines @returns {Happening[]} */
const ends = (lines) =>
  lines.map((line) => ({ kind: /** @type {const} */ ('ended'), ms: line.ended, seat: line.racer.seat, n: line.length }))

/** A racer overtakes by having fewer cards home first, then more. @param {readonly Line[]} lines @returns {Happening[]} */
function overtakings(lines) {
  const changes = lines
    .flatMap((line, i) =>
      line.times.flatMap((ms, n) => (line.home[n + 1] === line.home[n] ? [] : [{ i, ms, n: n + 1, home: line.home[n + 1] }])),
    )
    .sort((a, b) => a.ms - b.ms || a.n - b.n)
  const passing = createOvertaking(lines.map((line) => line.home[0]))
  /** @type {Happening[]} */
  const found = []
  for (const { i, ms, n, home } of changes) {
    const overtaking = passing(i, home)
    if (!overtaking?.passed.length) continue
    const others = overtaking.passed.map((j) => lines[j].racer.seat)
    found.push({ kind: 'overtook', ms, seat: lines[i].racer.seat, n, others, leads: overtaking.leads })
  }
  return found
}
