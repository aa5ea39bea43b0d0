/** Loads the record of a race. */
import { read, Unreadable } from '../record/race-record.js'
import { faultOf } from '../record/shape.js'
import { Refusal, refusalOf } from './refusal.js'

/** @import { RaceRecord } from '../record/race-record.js' */
/** @import { Get } from './fetch-as-guest.js' */

/** @param {string} code @param {number} race */
export const recordPath = (code, race) => `/api/races/${code}/${race}`

/** @param {string} code @param {number} race @param {Get} get @returns {Promise<RaceRecord>} throws `Refusal` */
export async function loadRecord(code, race, get) {
  const answer = await get(recordPath(code, race)).catch(() => {
    throw new Refusal('no-answer')
  })
  if (!answer.ok) throw await refusalOf(answer)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  let record
  try {
    record = read(bytes)
  } catch (error) {
    throw error instanceof Unreadable ? new Refusal(error.code, undefined, error.parameters) : error
  }
  // A replay can show a record with wrong facts, but not a record of another shape.
  const fault = faultOf(record)
  if (fault) throw new Refusal('bad-record', undefined, { place: fault.params?.place ?? 'racers' })
  return /** @type {RaceRecord} */ (/** @type {unknown} */ (record))
}
