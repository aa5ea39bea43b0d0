/** The seats with chat hidden in this browser only. The other players do not learn about it. */
import { signal } from '@preact/signals'

/** @import { Signal } from '@preact/signals' */

/** @typedef {ReturnType<typeof createMutes>} Mutes */

export function createMutes() {
  /** By room. @type {Map<string, Signal<ReadonlySet<number>>>} */
  const rooms = new Map()

  /** The muted seats of a room. @param {string} code */
  function of(code) {
    const muted = rooms.get(code) ?? signal(/** @type {ReadonlySet<number>} */ (new Set()))
    rooms.set(code, muted)
    return muted
  }

  return {
    of,
    /** @param {string} code @param {number} seat */
    toggle(code, seat) {
      const muted = new Set(of(code).value)
      if (!muted.delete(seat)) muted.add(seat)
      of(code).value = muted
    },
  }
}
