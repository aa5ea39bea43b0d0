import { isKey } from '../record/signature.js'

/** @import { Keys } from '../record/proof.js' */

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
