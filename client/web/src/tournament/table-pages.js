/** Which part of a long table is on the screen. Pure. */

/**
 * Rows in full pages, except for the last one: 23 rows with room for 10 are 10, 10, 3.
 * @template T @param {readonly T[]} rows @param {number} room the rows of a page @returns {T[][]}
 */
export function inPages(rows, room) {
  const length = Math.max(1, room)
  const count = Math.max(1, Math.ceil(rows.length / length))
  return Array.from({ length: count }, (_, page) => rows.slice(page * length, (page + 1) * length))
}

/** @typedef {{stage: string, page: number}} Turn the shown page, counted without end, and its stage */

/** After a while. @param {Turn} turn @param {string} stage of the tournament @returns {Turn} */
export const turned = (turn, stage) => ({ stage, page: turn.stage === stage ? turn.page + 1 : 1 })

/** The shown page; with each stage of the tournament, the pages start anew. @param {Turn} turn @param {string} stage @param {number} count */
export const pageOf = (turn, stage, count) => (turn.stage === stage ? turn.page % Math.max(1, count) : 0)

/**
 * The rows of a long table that have to be there: those to be seen, and some more on both sides so that scrolling is quiet.
 * @param {number} top how far it is scrolled @param {number} height of the window onto it @param {number} row the height of a row
 * @param {number} count of all rows @param {number} [more]
 */
export function windowOf(top, height, row, count, more = 8) {
  const first = Math.max(0, Math.min(count, Math.floor(top / row) - more))
  return { first, last: Math.min(count, Math.ceil((top + height) / row) + more) }
}
