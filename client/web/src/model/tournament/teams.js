/**
 * The standings of teams, worked out from the races; the same as in shared/fortythieves/tournament/teams.py. Pure.
 *
 * In Points, a round gives a team the sum of the points of its best members. In a Swiss, teams meet on boards.
 */
import { placesOf } from '../../rules/ranking.js'
import { givenIn } from './points.js'
import { compare, doneOf, hasSameNumbers, isNear, isOut, ranked } from './results.js'
import { directOf, meetingsOf, worthsOf } from './swiss.js'

/**
 * @import { Done, Drawn, Entrants, Plan, Played } from './results.js'
 * @import { Meeting } from './swiss.js'
 */

/**
 *
 * @typedef {object} TeamRow
 * @property {number | null} place null: all its members are disqualified
 * @property {string} team
 * @property {number} score
 * @property {number[]} tiebreaks
 * @property {(number | null)[]} rounds
 * @property {number[][]} counted by round, the members who counted
 *
 * @typedef {{seats: number[], opponent: string | null}} Side a team in a round of a Swiss; no opponent: it has a bye
 * @typedef {{total: number, tiebreaks: number[], rounds: (number | null)[], counted: number[][]}} Found
 */

/** In the order in which they decide. */
export const TEAM_TIEBREAKS = /** @type {const} */ ({ points: ['best', 'alone'], swiss: ['boards', 'buchholz', 'direct'] })

/** Whether teams meet, each member on a board. @param {Pick<Plan, 'format' | 'team_size'>} plan */
export const hasBoards = ({ format, team_size: size = 0 }) => size > 0 && format === 'swiss'

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)

/**
 * The members of each team in the team's order. Teams are in the order of their lowest seats.
 *
 * @param {Record<string, {team?: string, board?: number}>} entrants
 * @returns {Map<string, number[]>}
 */
export function membersOf(entrants) {
  /** @type {Map<string, number[]>} */
  const teams = new Map()
  const seats = Object.keys(entrants)
    .map(Number)
    .sort((a, b) => a - b)
  for (const seat of seats) {
    const { team } = entrants[seat]
    if (team) teams.set(team, [...(teams.get(team) ?? []), seat])
  }
  const boardOf = (/** @type {number} */ seat) => entrants[seat].board ?? 0
  return new Map([...teams].map(([team, all]) => [team, all.sort((a, b) => boardOf(a) - boardOf(b) || a - b)]))
}

/**
 * Who raced for each team in a round of a Swiss, and against whom. A board without an opponent has a bye.
 *
 * @param {Record<string, {team?: string}>} entrants
 * @param {{pairs?: [number, number][] | null, byes?: number[] | null}} round
 * @returns {Map<string, Side>}
 */
export function sidesOf(entrants, round) {
  const teamOf = (/** @type {number} */ seat) => entrants[seat]?.team ?? ''
  /** @type {Map<string, Side>} */
  const sides = new Map()
  for (const seat of [...(round.pairs ?? []).flat(), ...(round.byes ?? [])]) {
    const side = sides.get(teamOf(seat)) ?? { seats: [], opponent: null }
    side.seats.push(seat)
    sides.set(teamOf(seat), side)
  }
  for (const pair of round.pairs ?? []) {
    const [one, other] = pair.map(teamOf)
    for (const [team, met] of [
      [one, other],
      [other, one],
    ]) {
      const side = sides.get(team)
      if (side) side.opponent = met
    }
  }
  return sides
}

/**
 * What cannot be in a drawn round of teams: the key of a sentence, or null.
 *
 * @param {Plan} plan @param {Entrants} entrants @param {Drawn} round
 * @returns {'noTeam' | 'boards' | null}
 */
export function wrongWith(plan, entrants, round) {
  if (!plan.team_size) return null
  if ([...round.seats, ...round.byes].some((seat) => !entrants[seat]?.team)) return 'noTeam'
  if (!hasBoards(plan)) return null
  const sides = sidesOf(entrants, round)
  const hasBye = (/** @type {string | null} */ team) => sides.get(team ?? '')?.seats.some((seat) => round.byes.includes(seat))
  const isTwisted = round.pairs.some((pair) => {
    const [one, other] = pair.map((seat) => entrants[seat].team ?? '')
    return one === other || sides.get(one)?.opponent !== other || sides.get(other)?.opponent !== one
  })
  const isWrong = [...sides].some(
    ([team, { seats, opponent }]) =>
      seats.length > (plan.team_size ?? 0) || (opponent !== null && hasBye(team) && hasBye(opponent)),
  )
  return isTwisted || isWrong ? 'boards' : null
}

/**
 * @param {{plan: Plan, entrants: Entrants, rounds: Drawn[]}} tournament
 * @param {Map<number, Map<number, Played>>} races by their numbers
 * @returns {TeamRow[]} none if the plan has no teams
 */
export function teamsOf({ plan, entrants, rounds }, races) {
  if (!plan.team_size) return []
  const done = doneOf(entrants, rounds, races)
  const drawn = new Set(rounds.flatMap((round) => [...round.seats, ...round.byes]))
  const isListed = (/** @type {number} */ seat) => drawn.has(seat) || entrants[seat].state !== 'withdrawn'
  const teams = new Map([...membersOf(entrants)].filter(([, seats]) => seats.some(isListed)))
  const foundOf = hasBoards(plan) ? ofBoards(entrants, done, teams) : ofSums(plan, entrants, done, teams)
  const placed = [...teams]
    .filter(([, seats]) => !seats.every((seat) => isOut(entrants, seat)))
    .map(([team]) => ({ team, ...foundOf(team) }))
    .sort((a, b) => compare(b, a))
  const places = placesOf(placed, compare)
  const rows = placed.map(
    ({ team, total, ...found }, i) => /** @type {TeamRow} */ ({ place: places[i], team, score: total, ...found }),
  )
  const none = [...teams.keys()]
    .filter((team) => !placed.some((row) => row.team === team))
    .map((team) => ({
      place: null,
      team,
      score: 0,
      tiebreaks: TEAM_TIEBREAKS[hasBoards(plan) ? 'swiss' : 'points'].map(() => 0),
      rounds: rounds.map(() => null),
      counted: rounds.map(() => []),
    }))
  return [...rows, ...none]
}

/** Whether a row is as it is stated. @param {TeamRow} right @param {TeamRow} stated */
export const isSameTeam = (right, stated) =>
  right.team === stated.team && hasSameNumbers(right, stated) && JSON.stringify(right.counted) === JSON.stringify(stated.counted)

/**
 * Points: each round gives the sum of the points of the best members. Of equal ones, the order of the team decides.
 *
 * @param {Plan} plan @param {Entrants} entrants @param {Done[]} rounds @param {Map<string, number[]>} teams
 * @returns {(team: string) => Found}
 */
function ofSums(plan, entrants, rounds, teams) {
  const given = rounds.map((round) => (round.played.length ? givenIn(plan.points, round, ranked(round.played[0])) : new Map()))
  const best = new Map(
    [...teams].map(([team, seats]) => [
      team,
      given.map((of) =>
        seats
          .filter((seat) => of.has(seat) && !isOut(entrants, seat))
          .sort((a, b) => (isNear(of.get(a), of.get(b)) ? 0 : of.get(b) - of.get(a)))
          .slice(0, plan.team_size),
      ),
    ]),
  )
  const sums = new Map(
    [...best].map(([team, all]) => [team, all.map((seats, n) => sum(seats.map((seat) => given[n].get(seat))))]),
  )
  const isAlone = (/** @type {string} */ team, /** @type {number} */ n) => {
    const others = [...sums].filter(([other]) => other !== team).map(([, all]) => all[n])
    const [own, most] = [sums.get(team)?.[n] ?? 0, Math.max(0, ...others)]
    return own > most && !isNear(own, most)
  }
  return (team) => {
    const [own, counted] = [sums.get(team) ?? [], best.get(team) ?? []]
    return {
      total: sum(own),
      tiebreaks: [Math.max(0, ...own), own.filter((_, n) => isAlone(team, n)).length],
      rounds: own.map((cell, n) => (counted[n].length ? cell : null)),
      counted,
    }
  }
}

/**
 * How many board points each team has in a round of a Swiss. A bye of a whole team gives half of its boards.
 *
 * @param {Map<string, Side>} sides
 * @param {(seat: number) => number} givenTo what a board gave; 0 if it gives nothing
 * @returns {Map<string, number>}
 */
export const boardPoints = (sides, givenTo) =>
  new Map([...sides].map(([team, { seats, opponent }]) => [team, sum(seats.map(givenTo)) * (opponent === null ? 0.5 : 1)]))

/**
 * Swiss: each round gives the points of a match.
 *
 * @param {Entrants} entrants @param {Done[]} rounds @param {Map<string, number[]>} teams
 * @returns {(team: string) => Found}
 */
function ofBoards(entrants, rounds, teams) {
  const numbers = new Map([...teams.keys()].map((team, n) => [team, n + 1]))
  const sides = rounds.map((round) => (round.played.length ? sidesOf(entrants, round) : new Map()))
  const seats = rounds.map((round) => meetingsOf(entrants, round))
  const boards = sides.map((of, n) => boardPoints(of, (seat) => seats[n].get(seat)?.given ?? 0))
  const matches = sides.map(
    (of, n) => new Map([...of].map(([team, side]) => [team, matchOf(team, side, seats[n], boards[n], numbers)])),
  )
  const met = matches
    .filter((_, n) => rounds[n].played.length)
    .map((of) => new Map([...of].map(([team, match]) => [numbers.get(team) ?? 0, match])))
  const worths = worthsOf(met, [...numbers.values()])
  const found = new Map(
    [...numbers].map(([team, number]) => {
      const all = sum(boards.map((of) => of.get(team) ?? 0))
      return [number, [all, sum((worths.get(number) ?? []).map(({ worth }) => worth))]]
    }),
  )
  const totalOf = (/** @type {string} */ team) => sum(matches.map((of) => of.get(team)?.given ?? 0))
  const totals = new Map([...numbers].map(([team, number]) => [number, totalOf(team)]))
  const direct = directOf(totals, found, met)
  return (team) => {
    const number = numbers.get(team) ?? 0
    const counted = sides.map((of) => (of.get(team)?.seats ?? []).filter((/** @type {number} */ seat) => !isOut(entrants, seat)))
    return {
      total: totalOf(team),
      tiebreaks: [...(found.get(number) ?? []), direct.get(number) ?? 0],
      rounds: matches.map((of, n) => (counted[n].length ? (of.get(team)?.given ?? null) : null)),
      counted,
    }
  }
}

/**
 * A match from the view of one team.
 *
 * @param {string} team @param {Side} side @param {Map<number, Meeting>} seats @param {Map<string, number>} boards
 * @param {Map<string, number>} numbers
 * @returns {Meeting}
 */
function matchOf(team, side, seats, boards, numbers) {
  const own = boards.get(team) ?? 0
  if (side.opponent === null) return { given: own ? 1 : 0, opponent: null, played: false }
  const other = boards.get(side.opponent) ?? 0
  return {
    given: own > other ? 1 : own === other && own > 0 ? 0.5 : 0,
    opponent: numbers.get(side.opponent) ?? null,
    played: side.seats.some((seat) => seats.get(seat)?.played),
  }
}
