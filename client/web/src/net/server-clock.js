/**
 * An estimate of the server's clock.
 *
 * A race starts at an absolute server time, so every client must know the offset of its own clock. A ping gives three times:
 * its sending, the server's clock, and its answer. The estimate assumes that both directions take equally long, so the server
 * read its clock halfway between sending and answer. The median of several offsets ignores single late packets.
 */
import { nth } from '../rules/nth.js'

const KEPT = 9

/** Milliseconds since the epoch, without a jump when the user sets the computer's clock. */
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

    /** Add a ping's answer: `sent` and `received` by the local clock, `server` by the server's. */
    add(/** @type {number} */ sent, /** @type {number} */ server, received = local()) {
      samples = [...samples, { offset: server - (sent + received) / 2, trip: received - sent }].slice(-KEPT)
      offset = median(samples.map((sample) => sample.offset))
    },

    /** The server's time now. */
    now: () => local() + offset,

    /** The largest error of `now` in ms: half a round trip, because one direction may take all of the time. Null: unknown yet. */
    get error() {
      return samples.length ? Math.max(1, Math.round(median(samples.map((sample) => sample.trip)) / 2)) : null
    },

    /** The number of pings behind the offset. */
    get samples() {
      return samples.length
    },

    /** Forget the measurements after a sleep or on a new network. Until the next ping, the last offset is the best estimate. */
    forget() {
      samples = []
    },
  }
}
