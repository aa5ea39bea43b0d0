/**
 * The brackets of a double elimination: their matches, and the source of each side; the same as in
 * shared/fortythieves/tournament/double.py. Pure.
 *
 * A match is named by its side (`winners`, `losers` or `final`), its round of that side from 1, and its row from 0. Each
 * has a fixed round of the tournament in which it is raced.
 */

/**
 * @typedef {string} Match such as `winners/1/0`.
 * @typedef {string} Source a position in the first round, or the winner or loser of a match.
 */

/** The round of the tournament in which the second final is raced. @param {number} levels of the winners' bracket */
export const lastRound = (levels) => 2 * levels + 1

/** @param {string} side @param {number} round @param {number} row @returns {Match} */
const nameOfMatch = (side, round, row) => `${side}/${round}/${row}`

/** @param {string} side @param {number} round @param {number} count */
const rowsOf = (side, round, count) => Array.from({ length: count }, (_, row) => nameOfMatch(side, round, row))

/** The matches of a round of the tournament, the winners' bracket first. @param {number} at @param {number} levels @returns {Match[]} */
export function matchesOf(at, levels) {
  const up = Math.floor(at / 2) + 1
  return [
    ...(at === 1 || (at % 2 === 0 && at < 2 * levels) ? rowsOf('winners', up, 2 ** (levels - up)) : []),
    ...(at > 1 && at < 2 * levels ? rowsOf('losers', at - 1, 2 ** (levels - up)) : []),
    ...(at >= 2 * levels ? rowsOf('final', at + 1 - 2 * levels, 1) : []),
  ]
}

/** @param {number} position @returns {Source} */
const ofPosition = (position) => `position:${position}`
/** @param {string} side @param {number} round @param {number} row @returns {Source} */
const winnerOf = (side, round, row) => `winner:${nameOfMatch(side, round, row)}`
/** @param {string} side @param {number} round @param {number} row @returns {Source} */
const loserOf = (side, round, row) => `loser:${nameOfMatch(side, round, row)}`

/** The sources of the two sides of a match. @param {Match} match @param {number} levels @returns {[Source, Source]} */
export function sourcesOf(match, levels) {
  const [side, ...numbers] = match.split('/')
  const [round, row] = numbers.map(Number)
  if (side === 'final') {
    if (round === 2) return [winnerOf(side, 1, 0), loserOf(side, 1, 0)]
    const other = levels > 1 ? winnerOf('losers', 2 * levels - 2, 0) : loserOf('winners', 1, 0)
    return [winnerOf('winners', levels, 0), other]
  }
  const [one, other] = [2 * row, 2 * row + 1]
  if (round === 1) {
    return side === 'winners' ? [ofPosition(one), ofPosition(other)] : [loserOf('winners', 1, one), loserOf('winners', 1, other)]
  }
  if (side === 'losers' && round % 2 === 0) {
    const from = round / 2 + 1
    return [winnerOf('losers', round - 1, row), loserOf('winners', from, row ^ crossing(from, levels))]
  }
  return [winnerOf(side, round - 1, one), winnerOf(side, round - 1, other)]
}

/**
 * By how much the losers of a round of the winners' bracket are moved when they drop, as bits of their row. Losers of
 * round 2 move into the other half, of round 3 into the other quarter, and so on, as in binary counting.
 * @param {number} round @param {number} levels
 */
function crossing(round, levels) {
  const bits = levels - round
  return Array.from({ length: Math.max(0, bits) }, (_, bit) => (((round - 1) >> bit) & 1) << (bits - 1 - bit)).reduce(
    (sum, one) => sum + one,
    0,
  )
}
