/**
 * How a round went: who was there, and who won a pair; the same as in shared/fortythieves/tournament/results.py. Pure.
 *
 * Whoever did not start, that is made no move, is behind all who did. A disqualified entrant is compared with nobody.
 */
import { isRanked, places } from '../../rules/ranking.js'

/**
 * @typedef {import('../../rules/ranking.js').Result} Result
 * @typedef {{state: string, result: Result, rule?: import('../../rules/ranking.js').Rule}} Played without a rule, by today's
 * @typedef {{number: number, seats: number[], pairs: [number, number][], byes: number[], races: number[], skipped: boolean}} Drawn
 * @typedef {Record<string, {name: string, state: string}>} Entrants
 * @typedef {{total: number, tiebreaks: number[], rounds: (number | null)[]}} Score
 *
 * @typedef {Drawn & {played: Map<number, Played>[]}} Done its races, as far as it was raced and counts, and who was there
 *
 * @typedef {object} Outcome what came of a pair
 * @property {number | null} winner null: nobody won, or not yet
 * @property {boolean} tied it is still open after all races that were
 * @property {boolean} equal both raced, and ended exactly equal
 */

/** @param {Entrants} entrants @param {number} seat */
export const isOut = (entrants, seat) => entrants[seat]?.state === 'disqualified'

/** Who takes part in what comes next. @param {Entrants} entrants @param {number} seat */
export const isIn = (entrants, seat) => entrants[seat]?.state === 'in'

/** @param {Played} played */
const isThere = ({ state, result, rule }) => state !== 'did_not_start' && isRanked(state, result.moves, rule)

/** Who was there and is compared with others. @param {Entrants} entrants @param {Map<number, Played>} race */
export const racersOf = (entrants, race) =>
  new Map([...race].filter(([seat, played]) => isThere(played) && !isOut(entrants, seat)))

/** @param {Map<number, Played>} race */
export const ranked = (race) => places(new Map([...race].map(([seat, { result }]) => [seat, result])))

/** A draw being a draw. @param {Entrants} entrants @param {Map<number, Played>[]} races @param {[number, number]} pair @returns {Outcome} */
export function outcomeOf(entrants, races, pair) {
  const open = { winner: null, tied: false, equal: false }
  const won = (/** @type {number} */ winner) => ({ ...open, winner })
  if (!races.length) return open
  const standing = pair.filter((seat) => !isOut(entrants, seat))
  if (standing.length < 2) return standing.length ? won(standing[0]) : open
  let equal = false
  for (const race of races) {
    const there = pair.filter((seat) => race.has(seat))
    if (there.length === 1) return won(there[0])
    const rank = ranked(new Map(there.map((seat) => [seat, /** @type {Played} */ (race.get(seat))])))
    const first = there.filter((seat) => rank.get(seat) === 1)
    if (first.length === 1) return won(first[0])
    equal ||= there.length > 0
  }
  return { winner: null, tied: true, equal }
}
