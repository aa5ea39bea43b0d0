/** The teams of a tournament for its pages. Pure; the server decides (core/decide_entrants.py). */
import { placesOf } from '../../rules/ranking.js'
import { language } from '../../words/translate.js'
import { duelsOf } from './duels.js'
import { isNear, meanOf, sum } from './kinds.js'
import { RESERVES } from './plan-constants.js'
import { roundsOf } from './rounds.js'

/** @import { Tournament } from '../../protocol/protocol.d.ts' */
/** @import { Lane } from '../race/room-view.js' */
/** @import { Duel, DuelSide } from './duels.js' */

/**
 * @typedef {object} Match two teams in a round of a Swiss
 * @property {string} one @property {string | null} other null: a bye
 * @property {Duel[]} boards @property {number[]} byes the seats with a board without an opponent
 * @property {[number, number]} score board points so far
 * @typedef {{seats: number[], opponent: string | null}} Side a team in a round of a Swiss; no opponent: it has a bye
 */

/** In the order in which they decide. */
export const TEAM_TIEBREAKS = /** @type {const} */ ({ points: ['best', 'alone'], swiss: ['boards', 'buchholz', 'direct'] })

/** Whether teams meet, each member on a board. @param {{format: string, team_size?: number}} plan */
export const hasBoards = ({ format, team_size: size = 0 }) => size > 0 && format === 'swiss'

/**
 * The members of each team in the team's order. Teams are in the order of their lowest seats.
 * @param {Record<string, {team?: string, board?: number}>} entrants @returns {Map<string, number[]>}
 */
export function membersOf(entrants) {
  const teams = /** @type {Map<string, number[]>} */ (new Map())
  for (const seat of Object.keys(entrants).map(Number)) {
    const { team } = entrants[seat]
    if (team) teams.set(team, [...(teams.get(team) ?? []), seat])
  }
  const boardOf = (/** @type {number} */ seat) => entrants[seat].board ?? 0
  return new Map([...teams].map(([team, all]) => [team, all.sort((a, b) => boardOf(a) - boardOf(b) || a - b)]))
}

/**
 * The racers of each team in a round of a Swiss, and its opponent. A board without an opponent has a bye.
 * @param {Record<string, {team?: string}>} entrants @param {{pairs?: [number, number][] | null, byes?: number[] | null}} round
 * @returns {Map<string, Side>}
 */
export function sidesOf(entrants, round) {
  const teamOf = (/** @type {number} */ seat) => entrants[seat]?.team ?? ''
  const sides = /** @type {Map<string, Side>} */ (new Map())
  for (const seat of [...(round.pairs ?? []).flat(), ...(round.byes ?? [])]) {
    const side = sides.get(teamOf(seat)) ?? { seats: [], opponent: null }
    side.seats.push(seat)
    sides.set(teamOf(seat), side)
  }
  for (const pair of round.pairs ?? []) {
    for (const [at, seat] of pair.entries()) {
      const side = sides.get(teamOf(seat))
      if (side) side.opponent = teamOf(pair[1 - at])
    }
  }
  return sides
}

/** @param {{plan: {team_size?: number}}} tournament */
export const hasTeams = ({ plan }) => (plan.team_size ?? 0) > 0

/** The entrant's team; empty: none. @param {Tournament} tournament @param {number} seat */
export const teamOf = ({ entrants = {} }, seat) => entrants[seat]?.team ?? ''

/** Whether the entrant was drawn for any round, so that the team is fixed. @param {Tournament} tournament @param {number} seat */
export const wasDrawn = (tournament, seat) =>
  roundsOf(tournament).some(
    ([, { pairs = [], byes = [], results = {} }]) => pairs.flat().includes(seat) || byes.includes(seat) || seat in results,
  )

/** Whether the entrant can choose or change a team. @param {Tournament} tournament @param {number} seat */
export function mayChoose(tournament, seat) {
  const { phase, entrants = {} } = tournament
  const isBetween = phase === 'entry' || phase === 'pause'
  const isIn = hasTeams(tournament) && entrants[seat]?.state === 'in'
  return isIn && phase !== 'over' && (!teamOf(tournament, seat) || (isBetween && !wasDrawn(tournament, seat)))
}

/**
 * The teams with their present members, in the order of each team.
 * @param {Tournament} tournament @returns {[team: string, seats: number[]][]} by name
 */
export const teamsIn = ({ entrants = {} }) =>
  [...membersOf(entrants)]
    .map(([team, seats]) => /** @type {[string, number[]]} */ ([team, seats.filter((seat) => entrants[seat].state === 'in')]))
    .filter(([, seats]) => seats.length)
    .sort(([one], [other]) => one.localeCompare(other, language()))

/** The teams that are not full, the smallest first. @param {Tournament} tournament @returns {string[]} */
export function teamsWithRoom(tournament) {
  const { plan } = tournament
  const most = plan.team_most ?? (hasBoards(plan) ? plan.team_size + RESERVES : Infinity)
  return teamsIn(tournament)
    .filter(([, seats]) => seats.length < most)
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([team]) => team)
}

/**
 * Points: the teams with the points that they would get if the race ended now.
 * @param {Tournament} tournament with a race that is on, and is the first of its round @param {Lane[]} lanes in order
 * @returns {{place: number, team: string, score: number}[]} in order
 */
export function liveTeams({ plan, entrants = {}, teams = [] }, lanes) {
  const there = lanes.filter(({ seat, moves }) => moves > 0 && entrants[seat]?.state !== 'disqualified')
  const places = placesOf(there, (a, b) => Number(!isLevel(a, b)))
  const given = new Map(
    there.map(({ seat }, i) => [seat, meanOf(plan.points, places[i], places.filter((one) => one === places[i]).length)]),
  )
  const now = new Map(teams.map(([, team, score]) => [team, score]))
  const rows = [...membersOf(entrants)]
    .filter(([team, seats]) => now.has(team) || seats.some((seat) => entrants[seat].state === 'in'))
    .map(([team, seats]) => {
      const best = seats.map((seat) => given.get(seat) ?? 0).sort((a, b) => b - a)
      return { team, score: best.slice(0, plan.team_size).reduce((sum, one) => sum + one, now.get(team) ?? 0) }
    })
    .sort((a, b) => (isNear(a.score, b.score) ? 0 : b.score - a.score))
  const ranks = placesOf(rows, (a, b) => Number(!isNear(a.score, b.score)))
  return rows.map((row, i) => ({ ...row, place: ranks[i] }))
}

/** Whether two racers are equal so far in a race. @param {Lane} one @param {Lane} other */
const isLevel = (one, other) =>
  one.state === 'solved' || other.state === 'solved'
    ? one.state === other.state && one.ms === other.ms
    : one.home === other.home && one.place === other.place

/** The entrants that are in, but in no team. @param {Tournament} tournament @returns {number[]} */
export const teamless = (tournament) =>
  hasTeams(tournament)
    ? Object.entries(tournament.entrants ?? {}).flatMap(([seat, { state, team }]) =>
        state === 'in' && !team ? Number(seat) : [],
      )
    : []

/** The present members of a team, in its order. @param {Tournament} tournament @param {string} team @returns {number[]} */
export const presentIn = (tournament, team) => teamsIn(tournament).find(([name]) => name === team)?.[1] ?? []

/**
 * The matches of a round, in the order of the draw; none if teams do not meet.
 * @param {Tournament} tournament @param {Lane[]} [lanes] of the race that is on @returns {Match[]}
 */
export function matchesOf(tournament, lanes = []) {
  const { plan, rounds = {}, round, entrants = {} } = tournament
  const drawn = rounds[round]
  if (!hasBoards(plan) || !drawn) return []
  const duels = duelsOf(tournament, lanes)
  const sides = sidesOf(entrants, drawn)
  const given = new Map(duels.flatMap((duel) => duel.map((side, at) => [side.seat, givenTo(side, duel[1 - at])])))
  /** A bye gives a point, and that of a whole team half of its boards. @param {string} team */
  const pointsOf = (team) => {
    const { seats = [], opponent = null } = sides.get(team) ?? {}
    return sum(seats.map((seat) => given.get(seat) ?? 1)) * (opponent === null ? 0.5 : 1)
  }
  const matches = /** @type {Match[]} */ ([])
  for (const [team, { seats, opponent }] of sides) {
    if (matches.some(({ one, other }) => one === team || other === team)) continue
    const everybody = [...seats, ...(sides.get(opponent ?? '')?.seats ?? [])]
    matches.push({
      one: team,
      other: opponent,
      boards: duels.filter(([{ seat }]) => everybody.includes(seat)),
      byes: everybody.filter((seat) => drawn.byes?.includes(seat)),
      score: [pointsOf(team), pointsOf(opponent ?? '')],
    })
  }
  return matches
}

/** The entrant's side in a match. @param {Tournament} tournament @param {Match} match @param {number} who */
export const sideOf = (tournament, { other }, who) => (other !== null && teamOf(tournament, who) === other ? 'other' : 'one')

/** The points of one side of a board so far. @param {DuelSide} side @param {DuelSide} other */
function givenTo(side, other) {
  if (side.ahead) return 1
  if (other.ahead) return 0
  // Both are first in a pair that tied.
  return side.result?.[0] === 1 && other.result?.[0] === 1 ? 0.5 : 0
}

/**
 * The entrant's board in the current round, from 1, and the opposing team.
 * @param {Tournament} tournament @param {number} seat @returns {{board: number, opponent: string | null} | null}
 */
export function boardOf(tournament, seat) {
  const { plan, rounds = {}, round, entrants = {} } = tournament
  const drawn = rounds[round]
  if (!hasBoards(plan) || !drawn) return null
  const side = sidesOf(entrants, drawn).get(teamOf(tournament, seat))
  const at = side?.seats.indexOf(seat) ?? -1
  return side && at >= 0 ? { board: at + 1, opponent: side.opponent } : null
}
