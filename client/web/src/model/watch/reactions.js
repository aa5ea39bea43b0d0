/** The signs that those who look on can show each other: the server's list, in its order. */
import { SIGNS } from '../../protocol/constants.js'

/** @import { FieldsOf } from '../../protocol/protocol.d.ts' */

/** @typedef {FieldsOf<'react'>[0]} Sign */

/** As many are seen at once; of more, nobody could tell them apart. */
export const MOST_SEEN = 6

/** @typedef {{id: number, sign: Sign, count: number}} Bubble how many of a sign came together */

/**
 * What is seen after some more have come: the latest.
 *
 * @param {readonly Bubble[]} before @param {readonly number[]} counts of each sign @param {number} id of the first that is new
 * @returns {Bubble[]}
 */
export function withMore(before, counts, id) {
  const more = SIGNS.map((sign, i) => ({ id: id + i, sign, count: counts[i] ?? 0 })).filter(({ count }) => count > 0)
  return [...before, ...more].slice(-MOST_SEEN)
}
