/** The findings about a record (RECORD.md) as sentences. The worker that finds their codes has no texts. */
import { t } from '../words/translate.js'

/** @typedef {{code: string, params?: Record<string, any>}} Reason */

/** The sentence of a finding, or of one of the `remarks`. @param {string} check @param {Reason} reason @returns {string} */
export const reasonText = (check, { code, params = {} }) =>
  /** @type {any} */ (t)(
    `watch.reason.${check}.${code}`,
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? 'none'])),
  )
