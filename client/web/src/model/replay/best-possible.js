/** The best result that was still possible in a race, for a chart, a table and sentences. */
import { CARDS } from '../../protocol/constants.js'
import { bestOf, fallsOf } from '../../solver/analysis.js'

/** @import { Looked } from '../../solver/analysis.js' */
/** @import { Points } from './chart-lines.js' */
/** @import { Line } from './racer-line.js' */

/** How many of the most costly moves to report. */
const COSTS = 3

/** Where the cards home change, from an entry on, and the end. @param {readonly number[]} numbers @param {number} [from] */
export function pointsOfHome(numbers, from = 0) {
  const last = numbers.length - 1
  /** @type {[number, number][]} */
  const points = [[from, numbers[from]]]
  for (let n = from + 1; n <= last; n += 1) if (numbers[n] !== numbers[n - 1]) points.push([n, numbers[n]])
  points.push([last, numbers[last]])
  return points
}

/** The first known point: the search runs from the end to the start. @param {readonly Looked[]} looked */
const knownFrom = (looked) => (looked.length && looked[0].home < CARDS ? looked[0].n : 0)

/** The curve of the best results found. @param {readonly number[]} home @param {readonly Looked[]} looked @returns {Points} */
export const pointsOfBest = (home, looked) => pointsOfHome(bestOf(home, looked), knownFrom(looked))

/**
 * The last number of entries after which a win was still possible.
 * @param {readonly number[]} home @param {readonly Looked[]} looked @returns {number | null} null: none was found
 */
export function lastWin(home, looked) {
  const n = bestOf(home, looked).lastIndexOf(CARDS)
  return n < 0 ? null : n
}

/** The most costly moves. @param {readonly number[]} home @param {readonly Looked[]} looked */
export const costsOf = (home, looked) => fallsOf(home, looked).slice(0, COSTS)

/** The curve in numbers: at searched points and both ends. @param {readonly number[]} home @param {readonly Looked[]} looked */
export function rowsOfBest(home, looked) {
  const best = bestOf(home, looked)
  const places = new Set([knownFrom(looked), ...looked.map(({ n }) => n), home.length - 1])
  return [...places].sort((a, b) => a - b).map((n) => ({ n, best: best[n], home: home[n] }))
}

// The point up to which two racers made the same moves.

/** How many first entries of two logs are equal; null: all. @param {Line} one @param {Line} other @returns {number | null} */
export function partedAt(one, other) {
  const n = one.texts.findIndex((text, i) => other.texts[i] !== text)
  if (n >= 0) return n
  return one.length === other.length ? null : one.length
}
