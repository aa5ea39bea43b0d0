/** The number of a deal, as it was typed, or any. */

/** Below it there are no numbered deals (GAMES.md). */
const LOWEST = 32_001

/** @param {string} typed @param {() => number} [random] a whole number below 2^32 */
export const dealNumber = (typed, random = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) =>
  typed.trim() || String(LOWEST + random())
