/** @typedef {ReturnType<typeof createStopwatch>} Stopwatch */

/**
 * Counts time while it runs.
 * @param {number} counted ms before @param {() => number} now ms
 */
export function createStopwatch(counted, now = () => performance.now()) {
  /** @type {number | null} null: it stands still */
  let since = null
  const read = () => counted + (since === null ? 0 : now() - since)
  return {
    read,
    /** @param {boolean} on */
    run(on) {
      counted = read()
      since = on ? now() : null
    },
  }
}
