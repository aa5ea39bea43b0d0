/** The standings, worked out from the races; the same as in shared/fortythieves/tournament. Pure. */
import { placesOf } from '../../rules/ranking.js'
import { FORMAT_RULES } from './formats.js'
import { compare, doneOf, hasSameNumbers, isOut } from './results.js'
import { tiebreaksOf } from './tiebreaks.js'

/** @import { Drawn, Entrants, Plan, Played } from './results.js' */

/**
 * @typedef {{place: number | null, seat: number, score: number, tiebreaks: number[], rounds: (number | null)[]}} Row
 */

/**
 * @param {{plan: Plan, entrants: Entrants, rounds: Drawn[]}} tournament
 * @param {Map<number, Map<number, Played>>} races by their numbers
 * @returns {Row[]}
 */
export function standingsOf({ plan, entrants, rounds }, races) {
  const done = doneOf(entrants, rounds, races)
  const seats = Object.keys(entrants)
    .map(Number)
    .sort((a, b) => a - b)
  const drawn = new Set(rounds.flatMap((round) => [...round.seats, ...round.byes, ...(round.half_byes ?? [])]))
  const listed = seats.filter((seat) => drawn.has(seat) || entrants[seat].state !== 'withdrawn')
  const placed = listed.filter((seat) => !isOut(entrants, seat))
  const { scoresOf, hasOwnRaces } = FORMAT_RULES[plan.format]
  const { scoreOf, isVacant } = scoresOf(plan, entrants, done, placed)
  const scored = placed
    .flatMap((seat) => {
      const score = scoreOf(seat)
      return score ? [{ seat, ...score }] : []
    })
    .sort((a, b) => compare(b, a) || a.seat - b.seat)
  const places = placesOf(scored, compare, isVacant ? 2 : 1)
  const rows = scored.map(
    ({ seat, total, tiebreaks, rounds }, i) => /** @type {Row} */ ({ place: places[i], seat, score: total, tiebreaks, rounds }),
  )
  const none = listed
    .filter((seat) => !scored.some((one) => one.seat === seat))
    .map((seat) => ({
      place: null,
      seat,
      score: 0,
      tiebreaks: tiebreaksOf(plan).map(() => 0),
      rounds: hasOwnRaces ? [] : rounds.map(() => null),
    }))
  return [...rows, ...none]
}

/** Whether a row is as it is stated. @param {Row} right @param {Row} stated */
export const isSame = (right, stated) => right.seat === stated.seat && hasSameNumbers(right, stated)
