/** The order of racers, by the same rule as in shared/fortythieves/rules/ranking.py. */
import { nth } from './nth.js'

/**
 * @typedef {{solved: boolean, when: number, home: number, reached_at: number,
 *   moves: number}} Result how one racer ended; times in ms by the server's clock
 */

/** Whether a racer with this end has a place. A racer without a move is a no-show. @param {string} state @param {number} moves */
export const isRanked = (state, moves) => state !== 'disqualified' && moves > 0

/** Solved first, by time. Then by cards home, by the time of reaching that count, and by fewer moves. @param {Result} result */
const order = ({ solved, when, home, reached_at, moves }) => [solved ? 0 : 1, solved ? when : 0, -home, reached_at, moves]

/** By the first numbers that differ. @param {readonly number[]} a @param {readonly number[]} b */
export function compare(a, b) {
  const i = a.findIndex((one, at) => one !== b[at])
  return i < 0 ? 0 : nth(a, i) - nth(b, i)
}

/**
 * The place of each seat, from 1. Equal results share a place, and the next place counts all before it: 1, 1, 3.
 * @param {ReadonlyMap<number, Result>} results @returns {Map<number, number>}
 */
export function places(results) {
  const ranked = [...results].map(([seat, result]) => ({ seat, key: order(result) })).sort((a, b) => compare(a.key, b.key))
  const inOrder = placesOf(ranked, (a, b) => compare(a.key, b.key))
  return new Map(ranked.map(({ seat }, i) => [seat, nth(inOrder, i)]))
}

/**
 * The place of each item of a sorted list. Equal items share a place, and the next place counts all before it: 1, 1, 3.
 * @template T @param {readonly T[]} inOrder @param {(a: T, b: T) => number} compare 0: equal @param {number} [first]
 */
export function placesOf(inOrder, compare, first = 1) {
  let place = first
  return inOrder.map((one, i) => {
    if (i > 0 && compare(nth(inOrder, i - 1), one) !== 0) place = i + first
    return place
  })
}
