/** The signs that people can show each other: the server's list, in its order. */
import { SIGNS } from '../../protocol/constants.js'

/** @import { FieldsOf } from '../../protocol/protocol.d.ts' */

/** @typedef {FieldsOf<'react'>[0]} Sign */

/** The most bubbles to show together; more could not be distinguished. */
export const MOST_SEEN = 6

/** @typedef {{id: number, sign: Sign, count: number, seat: number}} Bubble `count`: how many of a sign came together; `seat`: the racer's, or 0 */

/**
 * The bubbles to show after new ones arrived: the latest.
 * @param {readonly Bubble[]} before @param {{counts: readonly number[], racers: readonly (readonly [seat: number, sign: number])[]}} came
 * @param {number} id of the first that is new @returns {Bubble[]}
 */
export function withMore(before, { counts, racers }, id) {
  const ofRacers = racers.map(([seat, i]) => ({ sign: SIGNS[i], count: 1, seat }))
  const others = SIGNS.map((sign, i) => ({ sign, count: counts[i] ?? 0, seat: 0 })).filter(({ count }) => count > 0)
  return [...before, ...[...others, ...ofRacers].map((one, i) => ({ id: id + i, ...one }))].slice(-MOST_SEEN)
}
