/** A racer of an earlier race on this deal, shown in a new race. */
import { laneAt, lineOf } from './racer-line.js'

/**
 * @import { RaceRecord } from '../../record/race-record.js'
 * @import { GhostName } from '../link-fragments.js'
 * @import { Lane } from '../race/room-view.js'
 * @typedef {object} Ghost
 * @property {string} name @property {GhostName} of
 * @property {(ms: number) => Lane} lane the state of this racer `ms` after the start
 */

/** @param {RaceRecord} record @param {number} seat @returns {Ghost | null} null: no racer had this seat */
export function ghostOf(record, seat) {
  if (!record.racers.some((racer) => racer.seat === seat)) return null
  const line = lineOf(record, seat)
  return {
    name: line.racer.name,
    of: { code: record.code, race: record.race, seat },
    lane(ms) {
      const n = line.at(Math.max(0, ms))
      // No racer in the room has this seat.
      return { ...laneAt(line, n, ms >= line.ended), seat: -seat, ghost: true }
    },
  }
}
