/**
 * An estimate of the server's clock.
 *
 * A race starts at an absolute server time, so every client must know the offset of its own clock. A ping gives three times:
 * its sending, the server's clock, and its answer. The estimate assumes that both directions take equally long, so the server
 * read its clock halfway between sending and answer. The median of several offsets ignores single late packets.
 *
 * While a computer sleeps, the page's own clock stands still, except on Windows; the computer's clock goes on. So when that is
 * suddenly ahead, the computer has slept, or the user has set it. The estimate jumps, too, and the next ping corrects it.
 */
import { nth } from '../rules/nth.js'

const KEPT = 9
const LEAP = 300 // ms that are no correction by NTP, which is slower, nor a late timer (a guess)

/** Milliseconds since the epoch, without a jump when the user sets the computer's clock. */
export const localTime = () => performance.timeOrigin + performance.now()

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? nth(sorted, middle) : (nth(sorted, middle - 1) + nth(sorted, middle)) / 2
}

/** @typedef {ReturnType<typeof createClock>} Clock */

/** @param {() => number} running stands still while the computer sleeps @param {() => number} wall may be set */
export function createClock(running = localTime, wall = running) {
  /** @type {{offset: number, trip: number}[]} newest last */
  let samples = []
  let offset = 0
  let slept = 0
  let ahead = wall() - running()

  /** Milliseconds since the epoch, by this computer. */
  function local() {
    const before = ahead
    ahead = wall() - running()
    if (ahead - before > LEAP) {
      slept += ahead - before
      samples = []
      clock.onSlept()
    }
    return running() + slept
  }

  const clock = {
    local,

    /** Called after each sleep. */
    onSlept: () => {},

    /** Add a ping's answer: `sent` and `received` by the local clock, `server` by the server's. */
    add(/** @type {number} */ sent, /** @type {number} */ server, received = local()) {
      const sample = { offset: server - (sent + received) / 2, trip: received - sent }
      // Half a round trip explains no more, so the server's clock was set, or this is another room.
      if (Math.abs(sample.offset - offset) > sample.trip / 2 + LEAP) samples = []
      samples = [...samples, sample].slice(-KEPT)
      offset = median(samples.map((sample) => sample.offset))
    },

    /** It was this time when the server sent a message that has just arrived. */
    reached(/** @type {number} */ server) {
      if (server > clock.now() + LEAP) clock.add(local(), server)
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
  return clock
}
