/** Verifies records in a worker thread, so that this never blocks the page (`verifier.js`). */
import { isPromised } from '../record/promise.js'
import { remarks, verify } from '../record/proof.js'
import { Unreadable } from '../record/race-record.js'
import { isKey } from '../record/signature.js'

/** @import { Keys } from '../record/proof.js' */

const can = { serverKeys, isPromised, remarks, verify }

/** @typedef {typeof can} Can */
/** @typedef {{id: number, what: keyof Can, of: any[]}} Question */
/** @typedef {{code: string, parameters?: Readonly<Record<string, number>>}} Failure without a text: the page has the texts */
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
 * All keys that the server lists, each with the time (ms) of its last use, or null for the present key. The result is null if
 * the server lists no key, or only keys with which any person can sign.
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
