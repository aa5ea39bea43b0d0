/** The records in shared/vectors. */
import { readFileSync } from 'node:fs'

/** @import { RaceRecord } from '../../../src/record/race-record.js' */

const { records } = JSON.parse(readFileSync(new URL('../../../../../shared/vectors/records.json', import.meta.url), 'utf8'))

/** @param {string} name @returns {RaceRecord} */
export const recordOf = (name) => records.find((/** @type {any} */ one) => one.name === name).record

export const ALL = /** @type {string[]} */ (records.map((/** @type {any} */ one) => one.name))
