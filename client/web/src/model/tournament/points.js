/** Points by place; the same as in shared/fortythieves/tournament/points.py. Pure. */
import { correctedOf, ranked } from './results.js'
import { tiebreaksOf } from './tiebreaks.js'

/** @import { Done, Plan, Score } from './results.js' */

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)

/**
 * What a race gave those who were drawn for it. Tied entrants share the mean of the points of their places.
 *
 * @param {number[]} table points by place
 * @param {Done} round
 * @param {Map<number, number>} places
 * @returns {Map<number, number>}
 */
export function givenIn(table, round, places) {
  const given = givenTo(table, places)
  return new Map([...round.seats.map((seat) => /** @type {const} */ ([seat, given.get(seat) ?? 0])), ...correctedOf(round)])
}

/** What the places of a race give. @param {number[]} table points by place @param {Map<number, number>} places @returns {Map<number, number>} */
export function givenTo(table, places) {
  const all = [...places.values()]
  return new Map(
    [...places].map(([seat, place]) => {
      const many = all.filter((one) => one === place).length
      return [seat, sum(table.slice(place - 1, place - 1 + many)) / many]
    }),
  )
}

/** The scores of a points event, worked out from the races. @param {Plan} plan @param {Done[]} rounds @returns {(seat: number) => Score} */
export function pointsOf(plan, rounds) {
  const ranks = rounds.map(({ played }) => (played.length ? ranked(played[0]) : null))
  const given = ranks.map((places, i) => (places ? givenIn(plan.points, rounds[i], places) : new Map()))
  return (seat) => {
    const there = rounds.flatMap(({ played }) => played[0]?.get(seat) ?? [])
    const cells = given.map((of) => of.get(seat) ?? null)
    const counting = cells.flatMap((cell, i) => (ranks[i] ? [cell ?? 0] : []))
    /** @type {Record<string, number>} */
    const values = {
      wins: ranks.filter((places) => places?.get(seat) === 1).length,
      solved: there.filter(({ result }) => result.solved).length,
      home: sum(there.map(({ result }) => result.home)),
      best: Math.max(0, ...counting),
      last: counting.at(-1) ?? 0,
    }
    return { total: sum(counting), tiebreaks: tiebreaksOf(plan).map((name) => values[name]), rounds: cells }
  }
}
