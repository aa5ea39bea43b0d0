/** Where two racers parted: up to there, they made the same moves. */

/** @import { Line } from './racer-line.js' */

/**
 * How many entries at the beginning of two logs are the same.
 *
 * @param {Line} one @param {Line} other
 * @returns {number | null} null: all of both
 */
export function partedAt(one, other) {
  const n = one.texts.findIndex((text, i) => other.texts[i] !== text)
  if (n >= 0) return n
  return one.length === other.length ? null : one.length
}
