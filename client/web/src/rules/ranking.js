/** Who came before whom; the same rule as in shared/fortythieves/rules/ranking.py. */

import { nth } from './nth.js'

/**
 * @typedef {object} Result how one racer ended; times in ms by the server's clock
 * @property {boolean} solved
 * @property {number} when
 * @property {number} home
 * @property {number} reached_at
 * @property {number} moves
 */

/** Whether a racer with this end has a place. A racer without a move did not start. @param {string} state @param {number} moves */
export const isRanked = (state, moves) => state !== 'disqualified' && moves > 0

/** Solved before unsolved; solved by time; then by cards home, who reached that count first, fewer moves. @param {Result} result */
const order = ({ solved, when, home, reached_at, moves }) => [solved ? 0 : 1, solved ? when : 0, -home, reached_at, moves]

/** @param {number[]} a @param {number[]} b */
function compare(a, b) {
  const i = a.findIndex((one, at) => one !== b[at])
  return i < 0 ? 0 : nth(a, i) - nth(b, i)
}

/**
 * The place of each of these seats, from 1; equal in all is an equal place, and the next one counts on: 1, 1, 3.
 *
 * @param {ReadonlyMap<number, Result>} results
 * @returns {Map<number, number>}
 */
export function places(results) {
  const ranked = [...results].map(([seat, result]) => ({ seat, key: order(result) })).sort((a, b) => compare(a.key, b.key))
  const inOrder = placesOf(ranked, (a, b) => compare(a.key, b.key))
  return new Map(ranked.map(({ seat }, i) => [seat, nth(inOrder, i)]))
}

/**
 * The place of each of these that are in order; equal ones share a place, and the next one counts on: 1, 1, 3.
 *
 * @template T
 * @param {readonly T[]} inOrder @param {(a: T, b: T) => number} compare 0: they are equal @param {number} [first]
 */
export function placesOf(inOrder, compare, first = 1) {
  let place = first
  return inOrder.map((one, i) => {
    if (i > 0 && compare(nth(inOrder, i - 1), one) !== 0) place = i + first
    return place
  })
}
