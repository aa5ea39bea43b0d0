/** Half-point byes of a Swiss: the requests, and whether another one is possible. Pure; the server decides (core/host_desk.py). */
import { roundsOf } from './rounds.js'

/** @import { Plan, Tournament } from '../../protocol/protocol.d.ts' */

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
