/** A racer of an earlier race, for practice on its deal. */
import { laneAt, lineOf } from './racer-line.js'

/** @import { RaceRecord } from '../../record/race-record.js' */
/** @import { Lane } from '../race/room-view.js' */

/**
 * The state of a racer `ms` after the start.
 * @param {RaceRecord} record @param {number} seat
 * @returns {((ms: number) => Lane) | null} null: no racer had this seat
 */
export function ghostOf(record, seat) {
  if (!record.racers.some((racer) => racer.seat === seat)) return null
  const line = lineOf(record, seat)
  return (ms) => laneAt(line, line.at(Math.max(0, ms)), ms >= line.ended)
}
