/** Runs low-priority work after the next paint. */

/** Runs the last function given after the next paint. @param {Pick<Window, 'requestAnimationFrame' | 'setTimeout'>} [window] */
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
      // An animation frame runs before a paint, the next task after it.
      window.requestAnimationFrame(() =>
        window.setTimeout(() => {
          waits = false
          now()
        }),
      )
    },

    /** Runs the function immediately, if it has not run yet. */
    now,

    drop() {
      due = null
    },
  }
}
