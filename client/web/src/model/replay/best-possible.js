/** What was still possible, for a chart, a table and sentences. */
import { CARDS } from '../../protocol/constants.js'
import { bestOf, fallsOf } from '../../solver/analysis.js'

/**
 * @import { Looked } from '../../solver/analysis.js'
 * @import { Points } from './chart-lines.js'
 * @import { Line } from './racer-line.js'
 */

/** So many moves that cost most are told. */
const COSTS = 3
/** Where a list of numbers changes, from a place on; the end is the last. @param {readonly number[]} numbers @param {number} [from] */
function steps(numbers, from = 0) {
  const last = numbers.length - 1
  /** @type {[number, number][]} */
  const points = [[from, numbers[from]]]
  for (let n = from + 1; n <= last; n += 1) if (numbers[n] !== numbers[n - 1]) points.push([n, numbers[n]])
  points.push([last, numbers[last]])
  return points
}

/** Where anything is known: the search goes from the end to the beginning. @param {readonly Looked[]} looked */
const knownFrom = (looked) => (looked.length && looked[0].home < CARDS ? looked[0].n : 0)

/** The curve of the best that was found. @param {readonly number[]} home @param {readonly Looked[]} looked @returns {Points} */
export const pointsOfBest = (home, looked) => steps(bestOf(home, looked), knownFrom(looked))

/** @param {readonly number[]} home @returns {Points} */
export const pointsOfHome = (home) => steps(home)

/**
 * After how many entries a win was still there for the last time.
 *
 * @param {readonly number[]} home @param {readonly Looked[]} looked
 * @returns {number | null} null: none was found
 */
export function lastWin(home, looked) {
  const n = bestOf(home, looked).lastIndexOf(CARDS)
  return n < 0 ? null : n
}

/** The moves that cost most. @param {readonly number[]} home @param {readonly Looked[]} looked */
export const costsOf = (home, looked) => fallsOf(home, looked).slice(0, COSTS)

/**
 * The curve in numbers: where the search has looked, and both ends.
 *
 * @param {readonly number[]} home @param {readonly Looked[]} looked
 */
export function rowsOfBest(home, looked) {
  const best = bestOf(home, looked)
  const places = new Set([knownFrom(looked), ...looked.map(({ n }) => n), home.length - 1])
  return [...places].sort((a, b) => a - b).map((n) => ({ n, best: best[n], home: home[n] }))
}

// Where two racers parted: up to there, they made the same moves.

/**
 * How many entries at the beginning of two logs are the same.
 *
 * @param {Line} one @param {Line} other
 * @returns {number | null} null: all of both
 */
export function partedAt(one, other) {
  const n = one.texts.findIndex((text, i) => other.texts[i] !== text)
  if (n >= 0) return n
  return one.length === other.length ? null : one.length
}
