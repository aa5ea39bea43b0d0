/** The standings, worked out from the races; the same as in shared/fortythieves/tournament. Pure. */
import { FORMAT_RULES } from './formats.js'
import { countedOf, isNear, isOut, racersOf } from './results.js'
import { tiebreaksOf } from './tiebreaks.js'

/**
 * @typedef {import('./results.js').Drawn} Drawn
 * @typedef {import('./results.js').Entrants} Entrants
 * @typedef {import('./results.js').Plan} Plan
 * @typedef {import('./results.js').Played} Played
 * @typedef {import('./results.js').Score} Score
 * @typedef {{place: number | null, seat: number, score: number, tiebreaks: number[], rounds: (number | null)[]}} Row
 */

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
  const { scoresOf, hasOwnRaces } = FORMAT_RULES[plan.format]
  const { scoreOf, isVacant } = scoresOf(plan, entrants, done, placed)
  const scored = placed
    .flatMap((seat) => {
      const score = scoreOf(seat)
      return score ? [{ seat, ...score }] : []
    })
    .sort((a, b) => compare(b, a) || a.seat - b.seat)
  let place = 0
  const rows = scored.map(({ seat, total, tiebreaks, rounds }, i) => {
    if (i === 0 || compare(scored[i - 1], scored[i]) !== 0) place = i + (isVacant ? 2 : 1)
    return /** @type {Row} */ ({ place, seat, score: total, tiebreaks, rounds })
  })
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
  const [one, other] = [a, b].map(({ total, tiebreaks, order }) => order ?? [total, ...tiebreaks])
  const i = one.findIndex((value, at) => !isNear(value, other[at]))
  return i < 0 ? 0 : one[i] - other[i]
}
