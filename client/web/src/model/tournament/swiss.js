/** The scores of a Swiss, worked out from the races; the same as in shared/fortythieves/tournament/swiss.py. Pure. */
import { firstOf, isOut, isPlayed, outcomeOf } from './results.js'
import { tiebreaksOf } from './tiebreaks.js'

/** @import { Done, Entrants, Plan, Score } from './results.js' */

/**
 *
 * @typedef {object} Meeting a round from the view of one seat
 * @property {number} given
 * @property {number | null} opponent null: a bye; an opponent who is disqualified counts as one
 * @property {boolean} played see `isPlayed`
 *
 * @typedef {{given: number, worth: number}} Worth what a round gave, and what the opponent counts in a tie-break
 */

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)

/** @type {Meeting} */
const NOTHING = { given: 0, opponent: null, played: false }

/**
 * @param {Plan} plan @param {Entrants} entrants @param {Done[]} rounds
 * @param {number[]} seats in the table
 * @returns {(seat: number) => Score}
 */
export function swissOf(plan, entrants, rounds, seats) {
  const cells = rounds.map((round) => meetingsOf(entrants, round))
  const met = cells.filter((_, i) => rounds[i].played.length)
  const raced = rounds.map(firstOf)
  const isOld = (plan.rules ?? 1) === 1
  const worths = isOld ? worthsAtFirst(met, seats) : worthsOf(met, seats)
  const totals = new Map(seats.map((seat) => [seat, sum(met.map((of) => of.get(seat)?.given ?? 0))]))

  /** @param {number} seat @returns {Record<string, number>} */
  const valuesOf = (seat) => {
    const own = worths.get(seat) ?? []
    const worth = own.map((one) => one.worth)
    const wins = met.flatMap((of) => of.get(seat) ?? []).filter(({ given }) => given === 1)
    return {
      buchholz: sum(worth),
      buchholz_cut1: sum(worth) - (worth.length ? Math.min(...worth) : 0),
      sonneborn: sum(own.map(({ given, worth }) => given * worth)),
      wins: wins.filter(({ played, opponent }) => played || (isOld && opponent !== null)).length,
      home: sum(raced.map((of) => of.get(seat)?.result.home ?? 0)),
    }
  }

  /** @type {Map<number, number[]>} */
  const found = new Map(seats.map((seat) => [seat, []]))
  const values = new Map(seats.map((seat) => [seat, valuesOf(seat)]))
  for (const name of tiebreaksOf(plan)) {
    const direct = name === 'direct' ? directOf(totals, found, met) : null
    for (const [seat, own] of found) own.push(direct ? (direct.get(seat) ?? 0) : (values.get(seat)?.[name] ?? 0))
  }
  return (seat) => ({
    total: totals.get(seat) ?? 0,
    tiebreaks: found.get(seat) ?? [],
    rounds: cells.map((of) => of.get(seat)?.given ?? null),
  })
}

/**
 * How FIDE counted unplayed rounds from 2009 to 2023. A played opponent counts with the own score, but with half a point
 * for each unplayed round. In an unplayed round the opponent is virtual: somebody who had the same score before the
 * round, got from it what the entrant did not, and has tied each round since.
 *
 * @param {Map<number, Meeting>[]} met @param {number[]} seats @returns {Map<number, Worth[]>}
 */
export function worthsOf(met, seats) {
  const own = new Map(seats.map((seat) => [seat, met.map((of) => of.get(seat) ?? NOTHING)]))
  const worths = new Map([...own].map(([seat, all]) => [seat, sum(all.map(({ given, played }) => (played ? given : 0.5)))]))
  return new Map(
    [...own].map(([seat, all]) => {
      const rows = all.map(({ given, opponent, played }, i) => {
        const before = sum(all.slice(0, i).map((one) => one.given))
        const virtual = before + (1 - given) + 0.5 * (met.length - 1 - i)
        return { given, worth: played && opponent !== null ? (worths.get(opponent) ?? 0) : virtual }
      })
      return [seat, rows]
    }),
  )
}

/**
 * The same by the first version of the rules: a bye counts as much as one has scored oneself, a missed round nothing.
 *
 * @param {Map<number, Meeting>[]} met @param {number[]} seats @returns {Map<number, Worth[]>}
 */
function worthsAtFirst(met, seats) {
  const own = new Map(seats.map((seat) => [seat, met.flatMap((of) => of.get(seat) ?? [])]))
  const totalOf = (/** @type {number} */ seat) => sum((own.get(seat) ?? []).map(({ given }) => given))
  return new Map(
    [...own].map(([seat, all]) => [seat, all.map(({ given, opponent }) => ({ given, worth: totalOf(opponent ?? seat) }))]),
  )
}

/**
 * The points of each seat against those who are equal so far; of a group in which not all have played each other, none.
 *
 * @param {Map<number, number>} totals @param {Map<number, number[]>} found the tie-breaks so far
 * @param {Map<number, Meeting>[]} met
 */
export function directOf(totals, found, met) {
  /** @type {Map<number, number>} */
  const points = new Map()
  /** @type {Map<string, number[]>} */
  const groups = new Map()
  for (const [seat, own] of found) {
    const key = [totals.get(seat), ...own].join()
    groups.set(key, [...(groups.get(key) ?? []), seat])
  }
  for (const group of groups.values()) {
    // Nobody can have played more others than there were rounds.
    if (group.length > met.length + 1) continue
    const inside = group.map((seat) =>
      met.flatMap((of) => of.get(seat) ?? []).filter(({ opponent, played }) => played && group.includes(opponent ?? 0)),
    )
    if (inside.some((own) => new Set(own.map(({ opponent }) => opponent)).size < group.length - 1)) continue
    for (const [i, seat] of group.entries()) points.set(seat, sum(inside[i].map(({ given }) => given)))
  }
  return points
}

/** Of one round by seat; of one that does not count, none. @param {Entrants} entrants @param {Done} round @returns {Map<number, Meeting>} */
export function meetingsOf(entrants, round) {
  const { played, pairs, byes, half_byes: halves = [] } = round
  if (!played.length) return new Map()
  const unpaired = [...byes.map((seat) => ({ seat, given: 1 })), ...halves.map((seat) => ({ seat, given: 0.5 }))]
  /** @type {Map<number, Meeting>} */
  const met = new Map(
    unpaired.filter(({ seat }) => !isOut(entrants, seat)).map(({ seat, given }) => [seat, { ...NOTHING, given }]),
  )
  for (const pair of pairs) {
    const { winner, equal } = outcomeOf(entrants, round, pair)
    for (const seat of pair) {
      const other = pair[0] + pair[1] - seat
      if (isOut(entrants, seat)) continue
      met.set(seat, {
        given: seat === winner ? 1 : equal ? 0.5 : 0,
        opponent: isOut(entrants, other) ? null : other,
        played: isPlayed(entrants, round, pair),
      })
    }
  }
  return met
}
