/** Runs beside the page, in a thread of its own, so that verifying holds up nothing there (`verifier.js`). */
import { isPromised } from '../record/promise.js'
import { remarks, verify } from '../record/proof.js'
import { Unreadable } from '../record/race-record.js'
import { isKey } from '../record/signature.js'

/** @import { Keys } from '../record/proof.js' */

const can = { serverKeys, isPromised, remarks, verify }

/** @typedef {typeof can} Can */
/** @typedef {{id: number, what: keyof Can, of: any[]}} Question */
/** @typedef {{code: string, parameters?: Readonly<Record<string, number>>}} Failure without words, which the page has */
/** @typedef {{id: number, value?: any, error?: Failure}} Answer */

/** @param {Question} question @returns {Promise<Answer>} */
async function answer({ id, what, of }) {
  try {
    return { id, value: await /** @type {(...of: any[]) => any} */ (can[what])(...of) }
  } catch (error) {
    if (error instanceof Unreadable) return { id, error: { code: error.code, parameters: error.parameters } }
    console.error(error)
    return { id, error: { code: 'bug' } }
  }
}

addEventListener('message', async (/** @type {MessageEvent<Question>} */ { data }) => postMessage(await answer(data)))

/**
 * All keys that the server says it ever had, each with the time (ms) until which it signed with it; null if it does not say, or
 * if it is one that anybody can sign with.
 *
 * @returns {Promise<Keys | null>}
 */
export async function serverKeys() {
  try {
    const { key, keys = [] } = await (await fetch('/api/key')).json()
    /** @type {Keys} */
    const found = {}
    for (const earlier of keys)
      if (isKey(earlier.key)) found[earlier.key] = Number.isInteger(earlier.until) ? earlier.until : null
    if (isKey(key)) found[key] = null
    return Object.keys(found).length ? found : null
  } catch {
    return null
  }
}
