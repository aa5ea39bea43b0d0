/** The racers of an earlier race, for practice on its deal. */
import { isRanked, places } from '../../rules/ranking.js'
import { laneAt, lineOf } from './racer-line.js'

/** @import { RaceRecord } from '../../record/race-record.js' */
/** @import { Result } from '../../rules/ranking.js' */
/** @import { Lane } from '../race/room-view.js' */
/** @typedef {(ms: number) => Lane} Ghost the state of a racer `ms` after the start */

/** The seat of the player among the ghosts. */
export const LATE = 100_001

/**
 * The racers that made a move: one, or all.
 * @param {RaceRecord} record @param {number | 'all'} who a seat; 0: nobody @returns {Ghost[]}
 */
export function ghostsOf(record, who) {
  const racers = record.racers.filter(({ seat, moves }) => (who === 'all' ? moves > 0 : seat === who))
  return racers.map(({ seat }) => {
    const line = lineOf(record, seat)
    return (ms) => laneAt(line, line.at(Math.max(0, ms)), ms >= line.ended)
  })
}

/**
 * The place among all racers that a player takes with the same deal later.
 * @param {RaceRecord} record @param {{isWon: boolean, ms: number, home: number, moves: number}} own
 */
export function latePlace({ racers, starts_at }, { isWon, ms, home, moves }) {
  /** @type {Map<number, Result>} */
  const all = new Map()
  for (const racer of racers) {
    if (isRanked(racer.state, racer.moves)) all.set(racer.seat, { ...racer, solved: racer.state === 'solved' })
  }
  const when = starts_at + ms
  all.set(LATE, { solved: isWon, when, reached_at: when, home, moves })
  return { place: places(all).get(LATE) ?? 1, count: all.size }
}
