/** Verifies a record in a worker thread, so that this never blocks the page (`verifier.js`). */
import './older-browsers.js'
import { isPromised } from '../record/promise.js'
import { remarks, verify } from '../record/proof.js'
import { isKey } from '../record/signature.js'

/**
 * @import { Check, Keys } from '../record/proof.js'
 * @import { RaceRecord } from '../record/race-record.js'
 * @typedef {{record: RaceRecord, shown: Readonly<Parameters<typeof isPromised>> | null}} Question `shown`: the promise that this browser
 *   heard before the race
 * @typedef {{checks: Check[], said: ReturnType<typeof remarks>, isUnsigned: boolean}} Findings `isUnsigned`: the shown promise
 *   has no valid signature
 */

/** @param {Question} question @returns {Promise<Findings>} */
async function findingsOf({ record, shown }) {
  const checks = verify(record, await serverKeys(), record.day ? (await (await fetch('/api/days')).json()).links : {})
  return { checks, said: checks[0]?.ok ? remarks(record) : [], isUnsigned: shown !== null && !isPromised(...shown) }
}

addEventListener('message', async (/** @type {MessageEvent<Question>} */ { data }) => {
  try {
    postMessage(await findingsOf(data))
  } catch (error) {
    console.error(error)
    postMessage(null)
  }
})

/**
 * All keys that the server lists, each with the time (ms) of its last use, or null for the present key. The result is null if
 * the server lists no key, or only keys with which any person can sign.
 * @returns {Promise<Keys | null>}
 */
async function serverKeys() {
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
