/** Who came before whom; the same rule as in shared/fortythieves/ranking.py. */

/**
 * @typedef {object} Result how one racer ended; times in ms by the server's clock
 * @property {boolean} solved
 * @property {number} when
 * @property {number} home
 * @property {number} reached_at
 * @property {number} moves
 */

/** Solved before unsolved; solved by time; then by cards home, who reached that count first, fewer moves. @param {Result} result */
const order = ({ solved, when, home, reached_at, moves }) => [solved ? 0 : 1, solved ? when : 0, -home, reached_at, moves]

/** @param {number[]} a @param {number[]} b */
function compare(a, b) {
  const i = a.findIndex((one, at) => one !== b[at])
  return i < 0 ? 0 : a[i] - b[i]
}

/**
 * The place of each seat, from 1; equal in all is an equal place, and the next one counts on: 1, 1, 3.
 *
 * @param {ReadonlyMap<number, Result>} results
 * @returns {Map<number, number>}
 */
export function places(results) {
  const ranked = [...results].map(([seat, result]) => ({ seat, key: order(result) })).sort((a, b) => compare(a.key, b.key))
  let place = 0
  return new Map(
    ranked.map(({ seat, key }, i) => {
      if (i === 0 || compare(ranked[i - 1].key, key) !== 0) place = i + 1
      return [seat, place]
    }),
  )
}
