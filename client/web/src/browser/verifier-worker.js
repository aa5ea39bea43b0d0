/** Runs beside the page, in a thread of its own, so that verifying holds up nothing there (`verifier.js`). */
import { serverKeys } from '../net/server-keys.js'
import { isPromised } from '../record/promise.js'
import { remarks, verify } from '../record/proof.js'
import { Unreadable } from '../record/race-record.js'

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
