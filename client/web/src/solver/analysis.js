/**
 * The best that was still possible in a race: how many cards could have reached the foundations after each entry of a log.
 * Searches start from about fifteen points, and then from points between those where the number falls.
 *
 * A search that finds nothing proves nothing, so all numbers are only the best results found.
 */
import { CARDS } from '../protocol/constants.js'
import { nth } from '../rules/nth.js'

/** @import { Board } from '../rules/board.js' */

/**
 * A point of the log from which a search was made.
 * @typedef {object} Looked
 * @property {number} n entries of the log before it
 * @property {number} home the most cards home that were found
 * @property {readonly string[]} moves that lead there
 */

/** @typedef {{before: number, after: number, from: number, to: number}} Fall */

/** The width of the searches: with it, 150 moves take two seconds on a laptop. */
export const WIDTH = 64
/** The number of evenly spread points of the log to search first. */
const POINTS = 15
/** The number of further searches, for the moves at which the best result falls. */
const SEARCHES = 20

/** @param {number} last entries of the log @param {readonly number[]} also @returns {number[]} the last point first */
function firstPoints(last, also) {
  const spread = Array.from({ length: POINTS }, (_, i) => Math.floor((last * i) / (POINTS - 1)))
  return [...new Set([...spread, ...also.filter((n) => n <= last)])].sort((a, b) => b - a)
}

/**
 * Analyse a racer's log. After each point it yields all searched points so far, sorted by `n`.
 * @param {readonly number[]} home cards home after each number of entries, from 0
 * @param {(n: number) => Board} boardAt the board after `n` entries, all cards known.
 * @param {(board: Board) => {home: number, moves: readonly string[]}} look the search
 * @param {readonly number[]} [also] further points to search
 * @returns {Generator<{done: number, of: number, looked: Looked[]}, Looked[]>}
 */
export function* analyse(home, boardAt, look, also = []) {
  const first = firstPoints(home.length - 1, also)
  const of = first.length + SEARCHES
  /** @type {Looked[]} */
  const looked = []
  let done = 0
  const lookAt = (/** @type {number} */ n) => {
    looked.push({ n, ...look(boardAt(n)) })
    looked.sort((a, b) => a.n - b.n)
    done += 1
    return { done, of, looked: looked.slice() }
  }
  for (const n of first) {
    // From the end: if a win is possible here, it was also possible before, by the same moves and then this line.
    if (looked[0]?.home === CARDS) break
    yield lookAt(n)
  }
  while (done < of) {
    const gap = fallsOf(home, looked).find(({ before, after }) => after - before > 1)
    if (!gap) break
    yield lookAt((gap.before + gap.after) >> 1)
  }
  return looked
}

/**
 * The most cards home that are known to be possible after each number of entries. It never rises: a result that is possible
 * later was also possible before.
 * @param {readonly number[]} home @param {readonly Looked[]} looked @returns {number[]} from 0 entries on
 */
export function bestOf(home, looked) {
  const best = [...home]
  for (const { n, home: found } of looked) best[n] = Math.max(nth(best, n), found)
  for (let n = best.length - 2; n >= 0; n -= 1) best[n] = Math.max(nth(best, n), nth(best, n + 1))
  return best
}

/**
 * The falls of the best result, the largest first: it was `from` after `before` entries, and `to` after `after` entries. No
 * search was made in between.
 * @param {readonly number[]} home @param {readonly Looked[]} looked @returns {Fall[]}
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
 * The best line known after `n` entries: first along the log to the point where it was found, then along the found line.
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
