/**
 * The brackets of a double elimination: their matches, and the source of each side; the same as in
 * shared/fortythieves/tournament/double.py. Pure.
 *
 * A match is named by its side (`winners`, `losers` or `final`), its round of that side from 1, and its row from 0. Each
 * has a fixed round of the tournament in which it is raced.
 */
import { placesOf } from './bracket-places.js'

/**
 * @typedef {[number, number]} Pair the better seed first.
 * @typedef {string} Match such as `winners/1/0`.
 * @typedef {string} Source a position in the first round, or the winner or loser of a match.
 * @typedef {{winner: number | null, dropped: number | null}} Result `dropped`: the loser, if that was the first loss.
 * @typedef {object} Drawing the entrants drawn for a round.
 * @property {Pair[]} pairs @property {Iterable<number>} everybody with the waiting entrants.
 * @property {Iterable<number>} lost the entrants among them with one loss.
 * @typedef {object} Stage a round as it was drawn.
 * @property {number} at the round of the tournament by the brackets.
 * @property {Map<Match, Pair>} meeting the pairs, by the brackets.
 * @property {Set<number>} alive the entrants still in them.
 * @property {Set<number>} lost the entrants among these with one loss.
 * @property {Map<Pair, Result | undefined>} results of each drawn pair; undefined: not known yet
 */

/** The round of the tournament in which the second final is raced. @param {number} levels of the winners' bracket */
export const lastRound = (levels) => 2 * levels + 1

/** @param {string} side @param {number} round @param {number} row @returns {Match} */
export const nameOfMatch = (side, round, row) => `${side}/${round}/${row}`

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

/** The place of each entrant, from the first round on. */
export class Board {
  /** @param {number[]} seeded all, best first */
  constructor(seeded) {
    this.levels = Math.max(1, 32 - Math.clz32(Math.max(1, seeded.length) - 1))
    /** @type {Map<number, number>} */
    this.seeds = new Map(seeded.map((seat, n) => [seat, n]))
    /** @type {Map<Source, number>} */
    this.seats = new Map()
    placesOf(2 ** this.levels).forEach((seed, n) => {
      if (seed <= seeded.length) this.seats.set(ofPosition(n), seeded[seed - 1])
    })
    /** The round of the tournament that is raced next. */
    this.at = 1
  }

  /** The pairs of the next round in which two of these entrants meet. Until then, they advance without a race. @param {Set<number>} alive @returns {Map<Match, Pair>} */
  meeting(alive) {
    const found = /** @type {Map<Match, Pair>} */ (new Map())
    for (; this.at <= lastRound(this.levels) && !found.size; this.at += 1) {
      for (const match of matchesOf(this.at, this.levels)) {
        const here = sourcesOf(match, this.levels).flatMap((source) => this.seats.get(source) ?? [])
        const there = here.filter((seat) => alive.has(seat))
        if (there.length === 2) found.set(match, this.bySeed(there))
        else if (there.length) this.seats.set(`winner:${match}`, there[0])
      }
    }
    if (found.size) this.at -= 1
    return found
  }

  /** The better seed first. @param {number[]} pair @returns {Pair} */
  bySeed([one, other]) {
    return (this.seeds.get(one) ?? 0) < (this.seeds.get(other) ?? 0) ? [one, other] : [other, one]
  }

  /** Enter the result of a match. @param {Match} match @param {Result} result */
  settle(match, { winner, dropped }) {
    if (winner !== null) this.seats.set(`winner:${match}`, winner)
    if (dropped !== null) this.seats.set(`loser:${match}`, dropped)
  }
}

/**
 * The brackets after the drawn rounds, and each of these rounds as a stage.
 * @param {number[]} seeded @param {Drawing[]} drawn
 * @param {(n: number, pair: Pair, isFinal: boolean, lost: Set<number>) => Result | undefined} racedOf the result of a pair of round
 *   `n`, by its races; undefined: not known yet
 * @returns {{board: Board, stages: Stage[]}}
 */
export function playedOut(seeded, drawn, racedOf) {
  const board = new Board(seeded)
  const alive = drawn.map(({ everybody }) => new Set(everybody))
  const lost = drawn.map((one) => new Set(one.lost))
  const stages = drawn.map(({ pairs }, n) => {
    const meeting = board.meeting(alive[n])
    const { at } = board
    const results = /** @type {Map<Pair, Result | undefined>} */ (new Map())
    const matchOf = new Map([...meeting].map(([match, pair]) => [`${pair}`, match]))
    for (const pair of pairs) {
      const match = matchOf.get(`${pair}`)
      const again = n + 1 < drawn.length ? drawnAgain(pair, lost[n], alive[n + 1], lost[n + 1]) : null
      const result = again ?? racedOf(n, pair, match?.startsWith('final') ?? false, lost[n])
      results.set(pair, result)
      if (match && result) board.settle(match, result)
    }
    board.at += 1
    return { at, meeting, alive: alive[n], lost: lost[n], results }
  })
  return { board, stages }
}

/** The result of a pair, from its entrants in the next draw. null: that draw has neither. @param {Pair} pair @param {Set<number>} lost @param {Set<number>} alive @param {Set<number>} haveLost */
function drawnAgain(pair, lost, alive, haveLost) {
  const on = pair.filter((seat) => alive.has(seat))
  const dropped = on.find((seat) => haveLost.has(seat) && !lost.has(seat))
  if (dropped !== undefined) return { winner: pair[0] === dropped ? pair[1] : pair[0], dropped }
  return on.length ? { winner: on[0], dropped: null } : null
}

/** The result of a pair with a winner. @param {Pair} pair @param {number} winner @param {Set<number>} lost @param {boolean} isLast whether a loser is out even after a first loss @returns {Result} */
export function wonBy(pair, winner, lost, isLast) {
  const loser = pair[0] === winner ? pair[1] : pair[0]
  return { winner, dropped: isLast || lost.has(loser) ? null : loser }
}
