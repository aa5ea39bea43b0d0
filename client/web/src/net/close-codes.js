import { t } from '../words/translate.js'

/**
 * How the client reconnects after each close code (PROTOCOL.md, "Close codes"). Any other code means `soon`.
 *
 * - `soon`: reconnect, the first time within 200 ms.
 * - `spread`: reconnect after a random delay, because all other clients reconnect too.
 * - `pause`: start with a longer delay, which grows.
 * - `fresh`: reconnect with a new guest token.
 * - `stop`: wait until the player asks to reconnect.
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
export const afterClosing = (code) => (isKnown(code) ? NEXT[code] : 'soon')

/** The reason for the player to read. @param {number} code */
export const closingText = (code) => t(`front.closed.${isKnown(code) ? code : 'lost'}`)

/** After a server restart, all clients reconnect within this many ms. */
export const SPREAD = 1000

/** The longest delay between failed attempts, ms. */
const LONGEST = 8000

/**
 * The delay before the next attempt. It is random, so that the clients do not all reconnect at the same moment after a
 * server restart.
 * @param {number} attempt 0: the first one after a working connection
 */
export function pauseBefore(attempt, random = Math.random) {
  const longest = attempt === 0 ? 200 : Math.min(LONGEST, 500 * 2 ** (attempt - 1))
  return longest * (0.5 + random() / 2)
}
