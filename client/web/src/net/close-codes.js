import { t } from '../words/translate.js'

/**
 * What to do about a connection that was closed, by the code it was closed with (PROTOCOL.md, "Close codes").
 *
 * `next`: come back `at-once`, within a moment (`spread`: so are all others), or after a `pause` that grows, `fresh` with a
 * new guest pass, or `stop` until the person asks.
 *
 */
const NEXT = /** @type {const} */ ({
  1009: 'stop',
  1011: 'pause',
  1012: 'spread',
  4000: 'stop',
  4001: 'stop',
  4002: 'stop',
  4003: 'fresh',
  4004: 'stop',
  4005: 'stop',
  4008: 'pause',
  4009: 'pause',
})

/** @param {number} code @returns {code is keyof typeof NEXT} */
const isKnown = (code) => code in NEXT

/** @param {number} code */
export const afterClosing = (code) => (isKnown(code) ? NEXT[code] : 'at-once')

/** Why a connection was closed. @param {number} code */
export const closingText = (code) => t(`front.closed.${isKnown(code) ? code : 'lost'}`)

/** Within so many ms all those come back whom a server that restarts has sent away. */
export const SPREAD = 1000

/** Between attempts that failed, at most this many ms. */
const LONGEST = 8000

/**
 * How long to wait before the next attempt. Never for good, and never all clients in step: after a restart of the
 * server they would come back as one wave.
 *
 * @param {number} attempt 0 is the first after a connection that worked
 */
export function pauseBefore(attempt, random = Math.random) {
  const longest = attempt === 0 ? 200 : Math.min(LONGEST, 500 * 2 ** (attempt - 1))
  return longest * (0.5 + random() / 2)
}
