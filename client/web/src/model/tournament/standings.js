/** The standings, worked out from the races; the same as in shared/fortythieves/tournament. Pure. */
import { knockoutOf } from './knockout.js'
import { correctedOf, countedOf, isOut, racersOf, ranked } from './results.js'
import { swissOf } from './swiss.js'
import { tiebreaksOf } from './tiebreaks.js'

/**
 * @typedef {import('./results.js').Done} Done
 * @typedef {import('./results.js').Drawn} Drawn
 * @typedef {import('./results.js').Entrants} Entrants
 * @typedef {import('./results.js').Plan} Plan
 * @typedef {import('./results.js').Played} Played
 * @typedef {import('./results.js').Score} Score
 * @typedef {import('./results.js').Scores} Scores
 * @typedef {{place: number | null, seat: number, score: number, tiebreaks: number[], rounds: (number | null)[]}} Row
 */

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)

/**
 * @param {{plan: Plan, entrants: Entrants, rounds: Drawn[]}} tournament
 * @param {Map<number, Map<number, Played>>} races by their numbers
 * @returns {Row[]}
 */
export function standingsOf({ plan, entrants, rounds }, races) {
  const done = rounds.map((round) => ({
    ...round,
    played: round.skipped ? [] : countedOf(round, races).map((race) => racersOf(entrants, race)),
  }))
  const seats = Object.keys(entrants)
    .map(Number)
    .sort((a, b) => a - b)
  const drawn = new Set(rounds.flatMap((round) => [...round.seats, ...round.byes, ...(round.half_byes ?? [])]))
  const listed = seats.filter((seat) => drawn.has(seat) || entrants[seat].state !== 'withdrawn')
  const placed = listed.filter((seat) => !isOut(entrants, seat))
  const { scoreOf, isVacant } = scoresOf(plan, entrants, done, placed)
  const scored = placed.map((seat) => ({ seat, ...scoreOf(seat) })).sort((a, b) => compare(b, a) || a.seat - b.seat)
  let place = 0
  const rows = scored.map(({ seat, total, tiebreaks, rounds }, i) => {
    if (i === 0 || compare(scored[i - 1], scored[i]) !== 0) place = i + (isVacant ? 2 : 1)
    return /** @type {Row} */ ({ place, seat, score: total, tiebreaks, rounds })
  })
  const none = listed
    .filter((seat) => isOut(entrants, seat))
    .map((seat) => ({
      place: null,
      seat,
      score: 0,
      tiebreaks: tiebreaksOf(plan).map(() => 0),
      rounds: rounds.map(() => null),
    }))
  return [...rows, ...none]
}

/** @param {Plan} plan @param {Entrants} entrants @param {Done[]} rounds @param {number[]} seats in the table @returns {Scores} */
function scoresOf(plan, entrants, rounds, seats) {
  if (plan.format === 'knockout') return knockoutOf(plan.rules ?? 1, entrants, rounds)
  const scoreOf = plan.format === 'points' ? pointsOf(plan, rounds) : swissOf(plan, entrants, rounds, seats)
  return { scoreOf, isVacant: false }
}

/** Thirds of a point do not add up exactly here. */
const NEAR = 1e-6

/** @param {number} a @param {number} b */
export const isNear = (a, b) => Math.abs(a - b) < NEAR

/** Whether a row is as it is stated. @param {Row} right @param {Row} stated */
export function isSame(right, stated) {
  const numbers = (/** @type {Row} */ { score, tiebreaks, rounds }) => [score, ...tiebreaks, ...rounds.map((cell) => cell ?? -1)]
  const [one, other] = [numbers(right), numbers(stated)]
  return (
    right.place === stated.place &&
    right.seat === stated.seat &&
    one.length === other.length &&
    one.every((value, i) => isNear(value, other[i]))
  )
}

/** @param {Score} a @param {Score} b */
function compare(a, b) {
  const [one, other] = [a, b].map(({ total, tiebreaks }) => [total, ...tiebreaks])
  const i = one.findIndex((value, at) => !isNear(value, other[at]))
  return i < 0 ? 0 : one[i] - other[i]
}

/** @param {Plan} plan @param {Done[]} rounds @returns {(seat: number) => Score} */
function pointsOf(plan, rounds) {
  const table = plan.points
  const ranks = rounds.map(({ played }) => (played.length ? ranked(played[0]) : null))
  const given = ranks.map((places, i) => {
    if (!places) return new Map()
    const all = [...places.values()]
    const raced = rounds[i].seats.map((seat) => {
      const place = places.get(seat)
      if (place === undefined) return /** @type {const} */ ([seat, 0])
      const many = all.filter((one) => one === place).length
      return /** @type {const} */ ([seat, sum(table.slice(place - 1, place - 1 + many)) / many])
    })
    return new Map([...raced, ...correctedOf(rounds[i])])
  })
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
