/** The parts of a tournament that its pages show, in their order. */
import { t } from '../../words/translate.js'
import { opponentIn } from '../race/room-view.js'
import { KINDS } from './kinds.js'

/** @import { Plan, Round, RoundResult, Standing, Tournament, View } from '../../protocol/protocol.d.ts' */

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

/** Also of a person who is no entrant. @param {View} view @param {number} seat */
export const personName = ({ tournament, people }, seat) =>
  tournament?.entrants?.[seat]?.name ?? people[seat]?.name ?? t('race.seat', { seat })

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
  const rank = (/** @type {RoundResult} */ [place]) => place ?? Number.MAX_SAFE_INTEGER
  return rows.sort((a, b) => (pairOf.get(a[0]) ?? 0) - (pairOf.get(b[0]) ?? 0) || rank(a[1]) - rank(b[1]) || a[0] - b[0])
}

/**
 * The pairs of a round, the player's pair first.
 * @param {Round} round @param {number} seat 0: none @returns {[number, number][]}
 */
export const pairsFor = ({ pairs = [] }, seat) => [
  ...pairs.filter((pair) => pair.includes(seat)),
  ...pairs.filter((pair) => !pair.includes(seat)),
]

/**
 * One round of an entrant.
 * @param {Round} round @param {number} seat
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

/** The last round in which an entrant may have a half-point bye; 0: none. @param {Pick<Plan, 'format' | 'rounds' | 'half_byes' | 'half_byes_until'> & {team_size?: number}} plan */
export function lastHalfBye({ format, rounds, half_byes: most, half_byes_until: until, team_size: teams }) {
  // Teams have reserves instead.
  if (format !== 'swiss' || !most || teams) return 0
  return Math.min(until ?? rounds - 1, rounds - 1)
}

/** The undrawn rounds that the entrant will sit out. @param {Tournament} tournament @param {number} seat @returns {number[]} */
export const askedBy = ({ half_byes: asked = {} }, seat) => asked[seat] ?? []

/** The rounds that the entrant may still ask to sit out, the next one first. @param {Tournament} tournament @param {number} seat @returns {number[]} */
export function askable(tournament, seat) {
  const { plan, phase, round, entrants = {} } = tournament
  if (phase === 'over' || entrants[seat]?.state !== 'in') return []
  const asked = askedBy(tournament, seat)
  const had = roundsOf(tournament).filter(([, { state, half_byes: halves }]) => state !== 'skipped' && halves?.includes(seat))
  if (had.length + asked.length >= plan.half_byes) return []
  const left = Array.from({ length: Math.max(0, lastHalfBye(plan) - round) }, (_, i) => round + 1 + i)
  return left.filter((number) => !asked.includes(number))
}

/**
 * @typedef {object} CheckIn
 * @property {'unknown' | 'later' | 'open' | 'over'} is `unknown`: the first round has no time yet
 * @property {number} at when it opens or ends; 0: not known
 */

/** @param {Tournament} tournament @param {number} now @returns {CheckIn | null} null: there is none */
export function checkInOf({ check_in: asked, round }, now) {
  if (!asked || round > 0) return null
  if (asked.over) return { is: 'over', at: 0 }
  if (asked.opens == null || asked.ends == null) return { is: 'unknown', at: 0 }
  return now < asked.opens ? { is: 'later', at: asked.opens } : { is: 'open', at: asked.ends }
}

/** Whether an entrant has checked in. @param {Tournament} tournament @param {number} seat */
export const isCheckedIn = ({ check_in: asked }, seat) => asked?.here?.[seat] === true

/** The entrants who are in and have checked in, or have not. @param {Tournament} tournament @returns {{here: number[], missing: number[]}} */
export function presenceOf(tournament) {
  const { check_in: asked, round, entrants = {} } = tournament
  if (!asked || round > 0) return { here: [], missing: [] }
  const all = Object.entries(entrants).map(([seat, { state, reason }]) => {
    const isHere = isCheckedIn(tournament, Number(seat))
    const isMissing = (state === 'in' && !isHere) || (state === 'withdrawn' && reason === 'check_in')
    return { seat: Number(seat), isHere: state === 'in' && isHere, isMissing }
  })
  return {
    here: all.filter(({ isHere }) => isHere).map(({ seat }) => seat),
    missing: all.filter(({ isMissing }) => isMissing).map(({ seat }) => seat),
  }
}
