/** The tie-breaks that decide. Pure. */

import { DEFAULT_TIEBREAKS, TIEBREAKS } from './plan-constants.js'

/** @typedef {(typeof TIEBREAKS)[keyof typeof TIEBREAKS][number]} Tiebreak */

/**
 * @template {string} T
 * @param {{format: string, tiebreaks?: T[] | null | undefined}} plan
 * @returns {(T | Tiebreak)[]} in their order
 */
export const tiebreaksOf = ({ format, tiebreaks }) => [
  ...(tiebreaks ?? DEFAULT_TIEBREAKS[/** @type {keyof typeof DEFAULT_TIEBREAKS} */ (format)]),
]
