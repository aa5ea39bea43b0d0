/** The rooms in which this browser has a seat, so that a reload returns to it without asking for a name. */
import { recallRooms } from './storage.js'

/** @import { Store } from './storage.js' */

const KEY = 'seats'
const KEPT = 20
/** The front page does not offer seats older than this, ms. */
const FRESH = 12 * 3600 * 1000

/** @typedef {{code: string, name: string, at: number}} Seat */
/** @typedef {ReturnType<typeof createSeats>} Seats */

/** @param {Store} store */
export function createSeats(store, now = Date.now) {
  /** @returns {Seat[]} newest first */
  const all = () => recallRooms(store, KEY)

  /** @param {Seat[]} seats */
  const keep = (seats) => store.remember(KEY, seats.length ? JSON.stringify(seats.slice(0, KEPT)) : null)
  const without = (/** @type {string} */ code) => all().filter((seat) => seat.code !== code)

  return {
    /** @param {string} code */
    at: (code) => all().find((seat) => seat.code === code) ?? null,
    /** @param {string} code @param {string} name */
    take: (code, name) => keep([{ code, name, at: now() }, ...without(code)]),
    /** @param {string} code */
    leave: (code) => keep(without(code)),
    /** The latest seat, if it is recent. @param {string} [code] of its room, default: any @param {string} [but] not of this room */
    latest: (code, but) =>
      all().find((seat) => now() - seat.at < FRESH && (code ?? seat.code) === seat.code && seat.code !== but) ?? null,
  }
}
