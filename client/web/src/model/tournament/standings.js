/** The standings, worked out from the races; the same as in shared/fortythieves/tournament. Pure. */
import { knockoutOf } from './knockout.js'
import { isOut, outcomeOf, racersOf, ranked } from './results.js'

/**
 * @typedef {import('./results.js').Done} Done
 * @typedef {import('./results.js').Drawn} Drawn
 * @typedef {import('./results.js').Entrants} Entrants
 * @typedef {import('./results.js').Played} Played
 * @typedef {import('./results.js').Score} Score
 * @typedef {{place: number | null, seat: number, score: number, tiebreaks: number[], rounds: (number | null)[]}} Row
 */

/** How many tie-breaks each format has. @type {Record<string, number>} */
const TIEBREAKS = { points: 3, knockout: 1, swiss: 4 }

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)

/**
 * @param {{plan: {format: string, points: number[]}, entrants: Entrants, rounds: Drawn[]}} tournament
 * @param {Map<number, Map<number, Played>>} races by their numbers
 * @returns {Row[]}
 */
export function standingsOf({ plan, entrants, rounds }, races) {
  const done = rounds.map((round) => ({
    ...round,
    played: round.skipped ? [] : round.races.map((number) => racersOf(entrants, races.get(number) ?? new Map())),
  }))
  const seats = Object.keys(entrants)
    .map(Number)
    .sort((a, b) => a - b)
  const scoreOf = scoresOf(plan, entrants, done)
  const drawn = new Set(rounds.flatMap((round) => [...round.seats, ...round.byes]))
  const listed = seats.filter((seat) => drawn.has(seat) || entrants[seat].state !== 'withdrawn')
  const scored = listed
    .filter((seat) => !isOut(entrants, seat))
    .map((seat) => ({ seat, ...scoreOf(seat) }))
    .sort((a, b) => compare(b, a) || a.seat - b.seat)
  let place = 0
  const rows = scored.map(({ seat, total, tiebreaks, rounds }, i) => {
    if (i === 0 || compare(scored[i - 1], scored[i]) !== 0) place = i + 1
    return /** @type {Row} */ ({ place, seat, score: total, tiebreaks, rounds })
  })
  const none = listed
    .filter((seat) => isOut(entrants, seat))
    .map((seat) => ({
      place: null,
      seat,
      score: 0,
      tiebreaks: Array(TIEBREAKS[plan.format]).fill(0),
      rounds: Array(rounds.length).fill(null),
    }))
  return [...rows, ...none]
}

/** @param {{format: string, points: number[]}} plan @param {Entrants} entrants @param {Done[]} rounds */
function scoresOf({ format, points }, entrants, rounds) {
  if (format === 'points') return pointsOf(points, rounds)
  return format === 'swiss' ? swissOf(entrants, rounds) : knockoutOf(entrants, rounds)
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

/** @param {number[]} table @param {Done[]} rounds @returns {(seat: number) => Score} */
function pointsOf(table, rounds) {
  const ranks = rounds.map(({ played }) => (played.length ? ranked(played[0]) : null))
  const given = ranks.map((places, i) => {
    if (!places) return new Map()
    const all = [...places.values()]
    return new Map(
      rounds[i].seats.map((seat) => {
        const place = places.get(seat)
        if (place === undefined) return [seat, 0]
        const many = all.filter((one) => one === place).length
        return [seat, sum(table.slice(place - 1, place - 1 + many)) / many]
      }),
    )
  })
  return (seat) => {
    const there = rounds.flatMap(({ played }) => played[0]?.get(seat) ?? [])
    const cells = given.map((of) => of.get(seat) ?? null)
    return {
      total: sum(cells.map((cell) => cell ?? 0)),
      tiebreaks: [
        ranks.filter((places) => places?.get(seat) === 1).length,
        there.filter(({ result }) => result.solved).length,
        sum(there.map(({ result }) => result.home)),
      ],
      rounds: cells,
    }
  }
}

/** @typedef {{given: number, opponent: number | null}} Meeting */

/** @param {Entrants} entrants @param {Done[]} rounds @returns {(seat: number) => Score} */
function swissOf(entrants, rounds) {
  const met = rounds.map((round) => meetingsOf(entrants, round))
  const totalOf = (/** @type {number} */ seat) => sum(met.map((of) => of.get(seat)?.given ?? 0))
  return (seat) => {
    const own = met.flatMap((of) => of.get(seat) ?? [])
    // A bye is as good as an opponent who did just as well.
    const worth = own.map(({ opponent }) => totalOf(opponent ?? seat))
    return {
      total: totalOf(seat),
      tiebreaks: [
        sum(worth),
        sum(own.map(({ given }, i) => given * worth[i])),
        own.filter(({ given, opponent }) => given === 1 && opponent !== null).length,
        sum(rounds.map(({ played }) => played[0]?.get(seat)?.result.home ?? 0)),
      ],
      rounds: met.map((of) => of.get(seat)?.given ?? null),
    }
  }
}

/** Of one round by seat; of one that does not count, none. @param {Entrants} entrants @param {Done} round @returns {Map<number, Meeting>} */
function meetingsOf(entrants, { played, pairs, byes }) {
  if (!played.length) return new Map()
  /** @type {Map<number, Meeting>} */
  const met = new Map(byes.filter((seat) => !isOut(entrants, seat)).map((seat) => [seat, { given: 1, opponent: null }]))
  for (const pair of pairs) {
    const { winner, equal } = outcomeOf(entrants, played, pair)
    for (const seat of pair) {
      const other = pair[0] + pair[1] - seat
      if (isOut(entrants, seat)) continue
      met.set(seat, {
        given: seat === winner ? 1 : equal ? 0.5 : 0,
        opponent: isOut(entrants, other) ? null : other,
      })
    }
  }
  return met
}
