/** The parts of a tournament that its pages show, in their order. */
import { t } from '../../words/translate.js'
import { opponentIn } from '../race/room-view.js'
import { KINDS } from './kinds.js'

/** @import { Round, RoundResult, Standing, Tournament, View } from '../../protocol/protocol.d.ts' */

/**
 * @typedef {object} RoundName the name of a round
 * @property {'final' | 'second' | 'semi' | 'quarter' | 'last' | 'upper' | 'lower' | 'up' | 'low' | 'round'} stage `round`: it has only
 *   a number; `second`: the second final; `up`, `low`: a round of the winners' or losers' bracket, `upper` and `lower` the last one
 * @property {number} number of the round, or of the remaining entrants in a knock-out
 */

/** @param {Tournament} tournament @returns {[number, Round][]} the first one first */
export const roundsOf = ({ rounds = {} }) =>
  Object.entries(rounds)
    .map(([number, round]) => /** @type {[number, Round]} */ ([Number(number), round]))
    .sort((a, b) => a[0] - b[0])

/** Whether a round has results. @param {Round['state']} state */
export const isDecided = (state) => state === 'played' || state === 'confirmed'

/** The rounds that count, the first one first. @param {Tournament} tournament */
export const countedRounds = (tournament) =>
  roundsOf(tournament).filter(([, { races, state }]) => (races?.length ?? 0) > 0 && state !== 'skipped')

/** @param {Tournament} tournament @param {number} seat */
export const nameOf = (tournament, seat) => tournament.entrants?.[seat]?.name ?? t('race.seat', { seat })

/** @param {Tournament} tournament @param {number} seat @returns {Standing | null} */
export const standingOf = ({ standings = [] }, seat) => standings.find((row) => row[1] === seat) ?? null

/** How many entrants are still in. @param {Tournament} tournament */
export const countIn = ({ entrants = {} }) => Object.values(entrants).filter(({ state }) => state === 'in').length

/** The number of the round to draw next: the last one, if it is repeated. @param {Tournament} tournament */
export const nextRound = ({ round, again }) => round + (again ? 0 : 1)

/** Whether all rounds that count are confirmed. @param {Tournament} tournament */
export const isProvisional = (tournament) => roundsOf(tournament).some(([, { state }]) => state === 'played')

/**
 * The results of a round, best first. Pairs stay together, in the order of the draw.
 * @param {Round} round @returns {[seat: number, result: RoundResult][]}
 */
export function resultsOf({ results = {}, pairs = [] }) {
  const rows = Object.entries(results).map(([seat, result]) => /** @type {[number, RoundResult]} */ ([Number(seat), result]))
  const pairOf = new Map(pairs.flatMap((pair, at) => pair.map((seat) => /** @type {const} */ ([seat, at]))))
  const rank = (/** @type {RoundResult} */ [place]) => place ?? Infinity
  return rows.sort((a, b) => (pairOf.get(a[0]) ?? 0) - (pairOf.get(b[0]) ?? 0) || compare(rank(a[1]), rank(b[1])) || a[0] - b[0])
}

/**
 * The pairs of a round, the player's pair first.
 * @param {Round} round @param {number} seat 0: none @returns {[number, number][]}
 */
export const pairsFor = ({ pairs = [] }, seat) => [
  ...pairs.filter((pair) => pair.includes(seat)),
  ...pairs.filter((pair) => !pair.includes(seat)),
]

/** Infinity is equal to itself. @param {number} a @param {number} b */
const compare = (a, b) => (a === b ? 0 : a - b)

/**
 * One round of an entrant.
 * @param {Round} round
 * @param {number} seat
 * @returns {{is: 'raced', result: RoundResult, met: number} | {is: 'bye'} | {is: 'wait'} | {is: 'half'} | {is: 'ahead', met: number} | {is: 'out'}}
 */
export function roundFor(round, seat) {
  const met = opponentIn(round, seat)
  const result = round.results?.[seat]
  if (result) return { is: 'raced', result, met }
  // In a double elimination, an entrant without a pair after the first round waits for an opponent.
  if (round.byes?.includes(seat)) return { is: round.lost ? 'wait' : 'bye' }
  if (round.half_byes?.includes(seat)) return { is: 'half' }
  return met ? { is: 'ahead', met } : { is: 'out' }
}

/** Whether the bracket or the groups were drawn without the entrant, so that it is too late to enter. @param {Tournament} tournament @param {number} seat */
export function isTooLate(tournament, seat) {
  const drawn = roundsOf(tournament).flatMap(([, { pairs = [], byes = [] }]) => [...pairs.flat(), ...byes])
  return KINDS[tournament.plan.format].hasSchedule && drawn.length > 0 && !drawn.includes(seat)
}

/** Whether the next round, or an arena, waits for a host, and all hosts are away. @param {View} view */
export function waitsForAbsentHost({ host, people, tournament }) {
  if (!tournament) return false
  const { phase, paused, next_at: at, co_hosts: coHosts } = tournament
  const waits = paused || (at == null && (phase === 'entry' || phase === 'pause'))
  return waits && phase !== 'over' && ![host ?? 0, ...coHosts].some((seat) => people[seat]?.here)
}

/** How many racers have finished, and of how many: all that a blind round shows. @param {View} view */
export function doneCount({ race: { racers = {} } }) {
  const states = Object.values(racers).map(({ state }) => state)
  return { done: states.filter((state) => state !== 'racing').length, count: states.length }
}
