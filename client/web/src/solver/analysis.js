/**
 * What was still possible in a race: how many cards could still have reached the foundations after each entry of a racer's
 * log. A search looks from about fifteen points, and then between those where the number falls.
 *
 * A search that finds nothing proves nothing. So all of this is "as far as was found".
 */

import { nth } from '../rules/nth.js'

/** @typedef {import('../rules/board.js').Board} Board */

/**
 * A point of the log from which the search has looked.
 *
 * @typedef {object} Looked
 * @property {number} n entries of the log before it
 * @property {number} home the most cards home that were found
 * @property {readonly string[]} moves that lead there
 */

/** So many points at first, evenly spread. */
const POINTS = 15
/** So many more where the number falls: enough to find three falls in 150 moves to the move. */
const MORE = 12

/** All cards of both packs. */
const ALL = 104

/**
 * The points of a log to begin with, the last one first: whoever could win late could win before.
 *
 * @param {number} length entries of the log
 */
export function firstPoints(length) {
  const steps = Math.min(length, POINTS - 1)
  return Array.from({ length: steps + 1 }, (_, i) => length - Math.round((i * length) / Math.max(1, steps)))
}

/**
 * Look at a racer's way. It yields what has been looked at so far, sorted by `n`, after each point.
 *
 * @param {readonly number[]} home cards home after so many entries of the log, beginning with none
 * @param {(n: number) => Board} boardAt the board after so many entries, all cards known
 * @param {(board: Board) => {home: number, moves: readonly string[]}} look the search
 * @param {readonly number[]} [also] points that are of interest besides
 * @returns {Generator<{done: number, of: number, looked: Looked[]}, Looked[]>}
 */
export function* analyse(home, boardAt, look, also = []) {
  const length = home.length - 1
  const first = [...new Set([...firstPoints(length), ...also.filter((n) => n <= length)])].sort((a, b) => b - a)
  const of = first.length + MORE
  /** @type {Looked[]} */
  const looked = []
  const lookAt = (/** @type {number} */ n) => {
    const later = looked.find((one) => one.n > n)
    // Whoever has won later can win here: by what was done, and then by that line.
    const found = later?.home === ALL ? null : look(boardAt(n))
    if (found) looked.push({ n, home: found.home, moves: found.moves })
    looked.sort((a, b) => a.n - b.n)
  }
  let done = 0
  for (const n of first) {
    lookAt(n)
    done += 1
    yield { done, of, looked: [...looked] }
  }
  for (; done < of; done += 1) {
    const fall = fallsOf(home, looked).find(({ before, after }) => after - before > 1)
    if (!fall) break
    lookAt((fall.before + fall.after) >> 1)
    yield { done: done + 1, of, looked: [...looked] }
  }
  return looked
}

/**
 * The most cards home that could still be reached after each number of entries, as far as was found. It never rises: what can
 * be reached later can be reached before.
 *
 * @param {readonly number[]} home @param {readonly Looked[]} looked
 * @returns {number[]} beginning with none
 */
export function bestOf(home, looked) {
  const best = [...home]
  for (const { n, home: found } of looked) best[n] = Math.max(nth(best, n), found)
  for (let n = best.length - 2; n >= 0; n -= 1) best[n] = Math.max(nth(best, n), nth(best, n + 1))
  return best
}

/**
 * Where the best falls, the largest fall first: it was `from` after `before` entries, and `to` after `after` ones. In between,
 * nobody has looked.
 *
 * @param {readonly number[]} home @param {readonly Looked[]} looked
 * @returns {{before: number, after: number, from: number, to: number}[]}
 */
export function fallsOf(home, looked) {
  const best = bestOf(home, looked)
  const falls = looked.slice(1).map(({ n: after }, i) => {
    const before = nth(looked, i).n
    return { before, after, from: nth(best, before), to: nth(best, after) }
  })
  return falls.filter(({ from, to }) => from > to).sort((a, b) => b.from - b.to - (a.from - a.to) || a.before - b.before)
}

/**
 * The best line that was found after so many entries: on along the log to where it was found, and then by it.
 *
 * @param {readonly string[]} log @param {readonly number[]} home @param {readonly Looked[]} looked @param {number} n
 * @returns {{home: number, moves: string[]}}
 */
export function lineFrom(log, home, looked, n) {
  const most = nth(bestOf(home, looked), n)
  const found = looked.find((one) => one.n >= n && one.home === most)
  if (found) return { home: most, moves: [...log.slice(n, found.n), ...found.moves] }
  const at = home.findIndex((cards, i) => i >= n && cards === most)
  return { home: most, moves: log.slice(n, at) }
}
