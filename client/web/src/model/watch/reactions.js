/** The signs that spectators can show each other: the server's list, in its order. */
import { SIGNS } from '../../protocol/constants.js'

/** @import { FieldsOf } from '../../protocol/protocol.d.ts' */

/** @typedef {FieldsOf<'react'>[0]} Sign */

/** The most bubbles to show together; more could not be distinguished. */
export const MOST_SEEN = 6

/** @typedef {{id: number, sign: Sign, count: number}} Bubble `count`: how many of a sign arrived together */

/**
 * The bubbles to show after new ones arrived: the latest.
 * @param {readonly Bubble[]} before @param {readonly number[]} counts of each sign @param {number} id of the first that is new
 * @returns {Bubble[]}
 */
export function withMore(before, counts, id) {
  const more = SIGNS.map((sign, i) => ({ id: id + i, sign, count: counts[i] ?? 0 })).filter(({ count }) => count > 0)
  return [...before, ...more].slice(-MOST_SEEN)
}
