/**
 * What to do about a connection that was closed, by the code it was closed with (PROTOCOL.md, "Close codes").
 *
 * `next`: come back `at-once`, within a moment (`spread`: so are all others), or after a `pause` that grows, `fresh` with a
 * new guest pass, or `stop` until the person asks.
 *
 * @typedef {{next: 'at-once' | 'spread' | 'pause' | 'fresh' | 'stop', message: string}} Closing
 */

/** @type {Closing} */
const LOST = { next: 'at-once', message: 'The connection was lost.' }

/** @type {Readonly<Record<number, Closing>>} */
const CLOSINGS = {
  1009: { next: 'stop', message: 'This page sent something too big. Reload it, please.' },
  1011: { next: 'pause', message: 'Something went wrong on the server.' },
  1012: { next: 'spread', message: 'The server is restarting.' },
  4000: { next: 'stop', message: 'This page and the server misunderstood each other. Reload it, please.' },
  4001: { next: 'stop', message: 'This seat moved to another tab.' },
  4002: { next: 'stop', message: 'The host has removed you from this room.' },
  4003: { next: 'fresh', message: 'Your guest pass was not accepted; you get a new one.' },
  4004: { next: 'stop', message: 'This room is gone.' },
  4005: { next: 'stop', message: 'This page is older or newer than the server. Reload it, please.' },
  4008: { next: 'pause', message: 'This connection was too slow to keep up.' },
  4009: { next: 'pause', message: 'This page was sending too fast.' },
}

/** @param {number} code @returns {Closing} */
export const closing = (code) => CLOSINGS[code] ?? LOST

export const TAKEN_OVER = 4001
export const KICKED = 4002
export const ROOM_GONE = 4004

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
