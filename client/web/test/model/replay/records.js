/** The records of the vectors. */
import { pluck, vectors } from '../../helpers.js'

/** @import { RaceRecord } from '../../../src/record/race-record.js' */

const { records } = vectors('records.json')

/** @param {string} name @returns {RaceRecord} */
export const recordOf = (name) => records.find((/** @type {any} */ one) => one.name === name).record

export const ALL = /** @type {string[]} */ (pluck(records, 'name'))
