/** The rooms in which this browser has a seat, so that a reload comes back to it without asking for a name. */

/** @import { Store } from './preferences.js' */

const KEY = 'seats'
const KEPT = 20
/** A room that was left open longer ago than this is not offered on the front page. */
const FRESH = 12 * 3600 * 1000

/**
 * @typedef {{code: string, name: string, at: number}} Seat
 * @typedef {ReturnType<typeof createSeats>} Seats
 */

/** @param {Store} store */
export function createSeats({ recall, remember }, now = Date.now) {
  /** @returns {Seat[]} newest first */
  function all() {
    try {
      const seats = JSON.parse(recall(KEY) ?? '[]')
      return Array.isArray(seats) ? seats : []
    } catch {
      return []
    }
  }

  /** @param {Seat[]} seats */
  const keep = (seats) => remember(KEY, seats.length ? JSON.stringify(seats.slice(0, KEPT)) : null)
  const without = (/** @type {string} */ code) => all().filter((seat) => seat.code !== code)

  return {
    /** @param {string} code */
    at: (code) => all().find((seat) => seat.code === code) ?? null,
    /** @param {string} code @param {string} name */
    take: (code, name) => keep([{ code, name, at: now() }, ...without(code)]),
    /** @param {string} code */
    leave: (code) => keep(without(code)),
    /** The seat to come back to, if one was taken lately. @param {string} [code] in this room, or in any */
    latest: (code) => all().find((seat) => now() - seat.at < FRESH && (code ?? seat.code) === seat.code) ?? null,
  }
}
