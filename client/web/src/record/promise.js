/** The server's signed promise of a deal before a race, as in shared/fortythieves/record/promise.py. */
import { isSigned } from './signature.js'

/** The signed text begins with this, unlike a record. */
const HEAD = 'forty-thieves promise v1'

/** @import { DealPromise } from '../protocol/protocol.d.ts' */

/** Whether the key signed it. @param {DealPromise} promise @param {string} code @param {number} race @param {string} commitment */
export function isPromised({ at, key, signature }, code, race, commitment) {
  const content = `${HEAD}\n${code}/${race}\n${commitment}\n${at}`
  return isSigned(new TextEncoder().encode(content), signature, key)
}
