/** The file of a tournament: read, as far as a series needs it. Anybody may have made it up. */
import { EMPTY, seriesTable } from '../model/tournament/series.js'
import { Refusal } from '../net/refusal.js'

/** @import { Stated } from '../model/tournament/series.js' */

/** @typedef {Stated & {name: string, isOpen: boolean, isFile: boolean}} Found `isOpen`: its standings are provisional; `isFile`: somebody chose it here */

/** In bytes: as the server reads it. */
const LONGEST = 256_000_000

/**
 * @param {any} source a file, or what is in it
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
