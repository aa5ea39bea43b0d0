/** Reads the parts of a file of a tournament that a series needs. The file may be forged. */
import { EMPTY, seriesTable } from '../model/tournament/series.js'
import { Refusal } from '../net/refusal.js'

/** @import { Stated } from '../model/tournament/series.js' */

/** @typedef {Stated & {name: string, isOpen: boolean, isFile: boolean}} Found `isOpen`: its standings are provisional; `isFile`: chosen on this page */

/** In bytes: as the server reads it. */
const LONGEST = 256_000_000

/**
 * @param {any} source a file or its content
 * @returns {Promise<Found>}
 * @throws {Refusal}
 */
export async function readEvent(source) {
  if (source instanceof Blob && source.size > LONGEST) throw new Refusal('not-a-tournament')
  try {
    const plain = source instanceof Blob ? JSON.parse(await source.text()) : source
    if (plain.format !== 'forty-thieves-tournament' || !/^[A-Z]{6}$/.test(plain.code)) throw new TypeError()
    const { code, plan, entrants, standings, rounds } = plain
    const found = { code, entrants, standings, rounds }
    seriesTable(EMPTY, [found]) // it has all that is needed
    const isOpen = rounds.some((/** @type {any} */ { skipped, confirmed }) => !skipped && !confirmed)
    return { ...found, name: String(plan?.name ?? '').slice(0, 60), isOpen, isFile: source instanceof Blob }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('not-a-tournament')
  }
}
