/** Brings the record of a race. */
import { read } from '../record/race-record.js'
import { reasonText } from '../record/reasons.js'
import { faultOf } from '../record/shape.js'

/** @typedef {import('../record/race-record.js').RaceRecord} RaceRecord */

export class NoRecord extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/** @param {string} code @param {number} race */
export const recordPath = (code, race) => `/api/races/${code}/${race}`

/**
 * @param {string} code @param {number} race
 * @param {import('./http.js').Get} get
 * @returns {Promise<RaceRecord>} throws `NoRecord`
 */
export async function loadRecord(code, race, get) {
  let answer
  try {
    answer = await get(recordPath(code, race))
  } catch {
    throw new NoRecord('no-answer', 'The server does not answer. Look after your connection, and try again.')
  }
  if (!answer.ok) throw await refusal(answer)
  const record = read(new Uint8Array(await answer.arrayBuffer()))
  // A replay can be told from a wrong record, but not from one of another form.
  const fault = faultOf(record)
  if (fault) throw new NoRecord('bad-record', `The server sent a record that cannot be shown: ${reasonText('format', fault)}.`)
  return /** @type {RaceRecord} */ (/** @type {unknown} */ (record))
}

/** @param {Response} answer */
async function refusal(answer) {
  try {
    const { error } = await answer.json()
    return new NoRecord(error.code, error.message)
  } catch {
    return new NoRecord('no-answer', `The server cannot answer right now (${answer.status}). Try again in a moment.`)
  }
}
