/** The records that shared/vectors has for everybody. */
import { readFileSync } from 'node:fs'

const { records } = JSON.parse(readFileSync(new URL('../../../../../shared/vectors/records.json', import.meta.url), 'utf8'))

/** @param {string} name @returns {import('../../../src/record/race-record.js').RaceRecord} */
export const recordOf = (name) => records.find((/** @type {any} */ one) => one.name === name).record

export const ALL = /** @type {string[]} */ (records.map((/** @type {any} */ one) => one.name))
