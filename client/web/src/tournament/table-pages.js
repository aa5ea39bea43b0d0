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

/**
 * The rows of a long table that have to be there: those to be seen, and some more on both sides so that scrolling is quiet.
 * @param {number} top how far it is scrolled @param {number} height of the window onto it @param {number} row the height of a row
 * @param {number} count of all rows @param {number} [more]
 */
export function windowOf(top, height, row, count, more = 8) {
  const first = Math.max(0, Math.min(count, Math.floor(top / row) - more))
  return { first, last: Math.min(count, Math.ceil((top + height) / row) + more) }
}
