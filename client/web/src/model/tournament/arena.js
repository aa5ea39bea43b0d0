/** An arena: small races, and a streak of wins that doubles points; the same as in shared/fortythieves/tournament/arena.py. Pure. */
import { givenIn } from './points.js'
import { correctedOf, isOut, ranked } from './results.js'
import { tiebreaksOf } from './tiebreaks.js'

/** @import { Done, Entrants, Plan, Score } from './results.js' */

/**
 * @typedef {{total: number, points: number[], row: number, wins: number, solved: number, home: number}} Sheet what the races
 *   of an entrant gave; `row`: wins in a row
 */

/** How many times the points of a race in a streak are given. */
const IN_A_STREAK = 2

/** @type {Sheet} */
const NOTHING = { total: 0, points: [], row: 0, wins: 0, solved: 0, home: 0 }

/** Whether the points of the next race are doubled. @param {number | undefined} streak of the plan @param {number} row */
export const isStreak = (streak = 0, row) => streak > 0 && row >= streak

/** @param {Plan} plan @param {Entrants} entrants @param {Done[]} rounds @returns {(seat: number) => Score} */
export function arenaOf(plan, entrants, rounds) {
  /** @type {Map<number, Sheet>} */
  const sheets = new Map()
  for (const round of rounds) {
    const [race] = round.played
    if (!race) continue
    const places = ranked(race)
    const given = givenIn(plan.points, round, places)
    const first = [...places].filter(([, place]) => place === 1).map(([seat]) => seat)
    const corrected = correctedOf(round)
    for (const seat of round.seats.filter((one) => !isOut(entrants, one))) {
      const before = sheets.get(seat) ?? NOTHING
      const won = first.length === 1 && first[0] === seat
      const doubled = isStreak(plan.streak, before.row) && !corrected.has(seat)
      const points = (given.get(seat) ?? 0) * (doubled ? IN_A_STREAK : 1)
      const result = race.get(seat)?.result
      sheets.set(seat, {
        total: before.total + points,
        points: [...before.points, points],
        row: won ? before.row + 1 : 0,
        wins: before.wins + Number(won),
        solved: before.solved + Number(result?.solved ?? false),
        home: before.home + (result?.home ?? 0),
      })
    }
  }
  return (seat) => {
    const { total, points, wins, solved, home } = sheets.get(seat) ?? NOTHING
    /** @type {Record<string, number>} */
    const values = { wins, solved, home }
    return { total, tiebreaks: tiebreaksOf(plan).map((name) => values[name]), rounds: points }
  }
}
