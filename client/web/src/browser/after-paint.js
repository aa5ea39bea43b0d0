/** What is only heard, and what stands beside the thing that was touched, need not hold up its paint. */

/**
 * Puts something off until the frame that is next has been painted. Only the last thing that was put off is done.
 *
 * @param {Pick<Window, 'requestAnimationFrame' | 'setTimeout'>} [window]
 */
export function createAfterPaint(window = globalThis.window) {
  /** @type {(() => void) | null} */
  let due = null
  let waits = false

  function now() {
    const run = due
    due = null
    run?.()
  }

  return {
    /** @param {() => void} run */
    do(run) {
      due = run
      if (waits) return
      waits = true
      // Animation frames come before a paint; the next task comes after it.
      window.requestAnimationFrame(() =>
        window.setTimeout(() => {
          waits = false
          now()
        }),
      )
    },

    /** Does it at once, if it is still to be done. */
    now,

    drop() {
      due = null
    },
  }
}
