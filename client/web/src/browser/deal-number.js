/** The number of a deal as typed, or a random one. */
import { LOWEST_NUMBER } from '../protocol/constants.js'

/** @param {string} typed @param {() => number} [random] a whole number below 2^32 */
export const dealNumber = (typed, random = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) =>
  typed.trim() || String(LOWEST_NUMBER + random())
