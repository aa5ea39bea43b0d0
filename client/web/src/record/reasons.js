/**
 * What is found about a record, in words for people. The findings are codes with parameters (`proof.js`, `shape.js`), which
 * shared/RECORD.md lists. The worker that finds them has no words.
 */

import { t } from '../words/index.js'

/** @typedef {{code: string, params?: Record<string, any>}} Reason */

/** What is said of the form of a file, besides that something in it is wrong. */
const FORM = new Set(['well-formed', 'missing', 'unknown-field'])

/**
 * What was found by a check, or as one of the `remarks`.
 *
 * @param {string} check
 * @param {Reason} reason
 * @returns {string}
 */
export function reasonText(check, { code, params = {} }) {
  // What a file should have at a place is for programs: `forty-thieves verify` says it.
  if (check === 'format' && !FORM.has(code)) return t('watch.reason.format.wrong', { place: params.place ?? 'racers' })
  return /** @type {any} */ (t)(
    `watch.reason.${check}.${code}`,
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? 'none'])),
  )
}
