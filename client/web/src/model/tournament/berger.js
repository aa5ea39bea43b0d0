/** Groups and the pairs of their rounds; the same as in shared/fortythieves/tournament/berger.py. Pure. */

/** How many groups are formed. Each has more entrants than advance from it. @param {number} entrants @param {number} groups @param {number} advancing */
export const countOf = (entrants, groups, advancing) =>
  Math.max(1, Math.min(groups, Math.floor(entrants / Math.max(2, advancing + 1))))

/** The sizes of the groups when entrants are dealt to them in snake order. @param {number} entrants @param {number} count @returns {number[]} */
export function sizesOf(entrants, count) {
  const [rows, rest] = [Math.floor(entrants / count), entrants % count]
  const isBack = rows % 2 === 1
  return Array.from({ length: count }, (_, n) => rows + ((isBack ? count - 1 - n : n) < rest ? 1 : 0))
}

/** How many rounds a group takes. @param {number} size */
export const roundsIn = (size) => (size > 1 ? size - ((size + 1) % 2) : 0)

/**
 * The pairs of a round (from 1) of a group, by number in the group; null: a bye.
 *
 * In a table for n (even), two entrants meet in round r if the sum of their numbers is r + 1, modulo n - 1. Number n meets
 * the entrant that would meet itself. If the size of the group is odd, there is no number n.
 * @param {number} size @param {number} number @returns {[number, number | null][]}
 */
export function bergerTable(size, number) {
  if (number < 1 || number > roundsIn(size)) return []
  const even = size + (size % 2)
  const turn = even - 1
  const at = (/** @type {number} */ n) => ((n % turn) + turn) % turn || turn
  const first = at((number + 1) * (even / 2))
  /** @type {[number, number | null][]} */
  const pairs = [[first, size % 2 ? null : even]]
  for (let away = 1; away < even / 2; away += 1) {
    const [one, other] = [at(first + away), at(first - away)]
    pairs.push([Math.min(one, other), Math.max(one, other)])
  }
  return pairs
}
