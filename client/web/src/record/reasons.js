/** The findings about a record (RECORD.md) as sentences. The worker that finds their codes has no texts. */
import { t } from '../words/translate.js'

/** @typedef {{code: string, params?: Record<string, any>}} Reason */

/** The details of a wrong format that the page shows. */
const FORM = new Set(['well-formed', 'missing', 'unknown-field'])

/** The sentence of a finding, or of one of the `remarks`. @param {string} check @param {Reason} reason @returns {string} */
export function reasonText(check, { code, params = {} }) {
  // The expected value at a place is for programs: `forty-thieves verify` prints it.
  if (check === 'format' && !FORM.has(code)) return t('watch.format.wrong', { place: params.place ?? 'racers' })
  return /** @type {any} */ (t)(
    `watch.reason.${check}.${code}`,
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? 'none'])),
  )
}
