/** Reads the file of a record, and checks all that it says. */
import { verify } from './proof.js'
import { read } from './race-record.js'

/**
 * @import { Check } from './proof.js'
 * @import { RaceRecord } from './race-record.js'
 */

/**
 * Throws `Unreadable` for a file that is no record.
 *
 * @param {Uint8Array} bytes
 * @param {Parameters<typeof verify>[1]} [key]
 * @returns {{record: RaceRecord | null, checks: Check[]}} null: it has not the
 *   form of a record
 */
export function checkFile(bytes, key) {
  const record = read(bytes)
  const checks = verify(record, key)
  const hasForm = checks.every(({ check, ok }) => ok || check !== 'format')
  return { record: hasForm ? /** @type {any} */ (record) : null, checks }
}
