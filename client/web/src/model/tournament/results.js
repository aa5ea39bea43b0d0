/**
 * How a round went: who was there, and who won a pair; the same as in shared/fortythieves/tournament/results.py. Pure.
 *
 * Whoever did not start, that is made no move, is behind all who did. A disqualified entrant is compared with nobody.
 */
import { isRanked, places } from '../../rules/ranking.js'

/** @import { Result, Rule } from '../../rules/ranking.js' */

/**
 * @typedef {{state: string, result: Result, rule?: Rule}} Played without a rule, by today's
 * @typedef {{number: number, seats: number[], pairs: [number, number][], byes: number[], races: number[], skipped: boolean,
 *   half_byes?: number[], lost?: number[], corrections?: Correction[], replayed?: Record<string, number>, room?: string}} Drawn the last
 *   five are not in files of older servers
 * @typedef {{seat: number, value: number, reason: string}} Correction what a host says that a round gave
 * @typedef {{format: string, points: number[], tiebreaks?: string[] | null, rules?: number,
 *   groups?: number, advance?: number | null, second_final?: boolean, streak?: number, team_size?: number}} Plan without a version of its
 *   rules, it is of the first one
 * @typedef {Record<string, {name: string, state: string, team?: string, board?: number}>} Entrants
 * @typedef {{total: number, tiebreaks: number[], rounds: (number | null)[], order?: number[]}} Score `order`: what decides
 *   the place, if it is not the total and then the tie-breaks
 * @typedef {{scoreOf: (seat: number) => Score | null, isVacant: boolean}} Scores null: no place; vacant: nobody has the first
 *   place
 *
 * @typedef {Drawn & {played: Map<number, Played>[]}} Done its races, as far as it was raced and counts, and who was there
 *
 * @typedef {object} Outcome what came of a pair
 * @property {number | null} winner null: nobody won, or not yet
 * @property {boolean} tied it is still open after all races that were
 * @property {boolean} equal both raced, and ended exactly equal
 */

/** Thirds of a point do not add up exactly here. */
const NEAR = 1e-6

/** @param {number} a @param {number} b */
export const isNear = (a, b) => Math.abs(a - b) < NEAR

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

/** What a host says instead of the races, by seat. @param {Drawn} round */
export const correctedOf = ({ corrections = [] }) => new Map(corrections.map(({ seat, value }) => [seat, value]))

/**
 * The races of a round by their numbers, as far as they count for each seat.
 *
 * @param {Drawn} round @param {Map<number, Map<number, Played>>} races
 */
export const countedOf = ({ races: numbers, replayed = {} }, races) =>
  numbers.map((number, n) => new Map([...(races.get(number) ?? [])].filter(([seat]) => n >= (replayed[seat] ?? 0))))

/**
 * The rounds with who raced in them.
 *
 * @param {Entrants} entrants @param {Drawn[]} rounds @param {Map<number, Map<number, Played>>} races by their numbers
 * @returns {Done[]}
 */
export const doneOf = (entrants, rounds, races) =>
  rounds.map((round) => ({
    ...round,
    played: round.skipped ? [] : countedOf(round, races).map((race) => racersOf(entrants, race)),
  }))

/** Below 0: the first one is behind; 0: they are equal. @param {Pick<Score, 'total' | 'tiebreaks' | 'order'>} a @param {Pick<Score, 'total' | 'tiebreaks' | 'order'>} b */
export function compare(a, b) {
  const [one, other] = [a, b].map(({ total, tiebreaks, order }) => order ?? [total, ...tiebreaks])
  const i = one.findIndex((value, at) => !isNear(value, other[at]))
  return i < 0 ? 0 : one[i] - other[i]
}

/** @typedef {{place: number | null, score: number, tiebreaks: number[], rounds: (number | null)[]}} Numbers of a row */

/** Whether a row is at the place that is stated, with the same points. @param {Numbers} right @param {Numbers} stated */
export function hasSameNumbers(right, stated) {
  const numbers = (/** @type {Numbers} */ { score, tiebreaks, rounds }) => [
    score,
    ...tiebreaks,
    ...rounds.map((cell) => cell ?? -1),
  ]
  const [one, other] = [numbers(right), numbers(stated)]
  return right.place === stated.place && one.length === other.length && one.every((value, i) => isNear(value, other[i]))
}

/**
 * For each racer, the result of the first race that counts: of a match that was raced again, the new one.
 *
 * @param {Done} round @returns {Map<number, Played>}
 */
export const firstOf = ({ played }) => new Map([...played].reverse().flatMap((race) => [...race]))

/**
 * Whether both started the same race, or a host has decided the pair. Not if one of them is disqualified.
 *
 * @param {Entrants} entrants @param {Done} round @param {[number, number]} pair
 */
export function isPlayed(entrants, round, pair) {
  if (pair.some((seat) => isOut(entrants, seat))) return false
  const corrected = correctedOf(round)
  return pair.every((seat) => corrected.has(seat)) || round.played.some((race) => pair.every((seat) => race.has(seat)))
}

/** A draw being a draw. @param {Entrants} entrants @param {Done} round @param {[number, number]} pair @returns {Outcome} */
export function outcomeOf(entrants, round, pair) {
  const { played: races } = round
  const open = { winner: null, tied: false, equal: false }
  const won = (/** @type {number} */ winner) => ({ ...open, winner })
  if (!races.length) return open
  const standing = pair.filter((seat) => !isOut(entrants, seat))
  if (standing.length < 2) return standing.length ? won(standing[0]) : open
  const corrected = correctedOf(round)
  const [one, other] = pair.map((seat) => corrected.get(seat))
  if (one !== undefined && other !== undefined) {
    return one === other ? { ...open, equal: one > 0 } : won(pair[one > other ? 0 : 1])
  }
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
