/**
 * The server's clock, told from here.
 *
 * A race starts at an absolute server time, so every client must know how far its own clock is off. One ping says: when
 * it was sent, what the server's clock showed, when the answer came. If both ways take equally long, the server's clock
 * showed that time in the middle between the two. The median of several such offsets shrugs off single late packets.
 */
import { nth } from '../rules/nth.js'

const KEPT = 9

/** Milliseconds since the epoch that never jump when the computer's clock is set. */
export const localTime = () => performance.timeOrigin + performance.now()

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? nth(sorted, middle) : (nth(sorted, middle - 1) + nth(sorted, middle)) / 2
}

/** @typedef {ReturnType<typeof createClock>} Clock */

export function createClock(local = localTime) {
  /** @type {{offset: number, trip: number}[]} newest last */
  let samples = []
  let offset = 0

  return {
    local,

    /** One ping's answer: sent and received by the local clock, `server` by the server's. */
    add(/** @type {number} */ sent, /** @type {number} */ server, received = local()) {
      samples = [...samples, { offset: server - (sent + received) / 2, trip: received - sent }].slice(-KEPT)
      offset = median(samples.map((sample) => sample.offset))
    },

    /** What the server's clock shows now. */
    now: () => local() + offset,

    /**
     * How far `now` may be off, in ms: half a round trip, for the answer may have taken all of it. Null: not known
     * yet.
     */
    get error() {
      return samples.length ? Math.max(1, Math.round(median(samples.map((sample) => sample.trip)) / 2)) : null
    },

    /** How many pings the offset stands on. */
    get samples() {
      return samples.length
    },

    /**
     * Forget what was measured before the computer slept or the network changed; the last offset is the best guess
     * until then.
     */
    forget() {
      samples = []
    },
  }
}
