/** How many boards a place has room for, and how they lie side by side. */

const MOST = 9 // at most nine, because the keys 1 to 9 select a board

/** A smaller board than this cannot be read: its width, and its height with its name above it. */
const SMALLEST = { width: 236, height: 196 }
const HEAD = 30
const MOST_IN_ROW = 4 // below two large boards
const ASPECT = 1.25 // a board likes to be so much wider than high

/** @param {number} width @param {number} height */
export function roomFor(width, height) {
  // A phone shows one board, and that as large as it can.
  if (Math.min(width, height * 1.6) < 560) return 1
  return Math.min(MOST, Math.floor(width / SMALLEST.width) * Math.floor(height / SMALLEST.height))
}

/** The number of columns that makes the boards largest. @param {number} count @param {number} width @param {number} height */
export function columnsFor(count, width, height) {
  const sizes = Array.from({ length: count }, (_, i) => {
    const rows = Math.ceil(count / (i + 1))
    return Math.min(width / (i + 1), (height / rows - HEAD) * ASPECT)
  })
  return sizes.indexOf(Math.max(...sizes)) + 1
}

/**
 * Two large boards above the others.
 * @param {readonly number[]} duel their seats @param {readonly number[]} shown the boards of the page
 * @returns {{perRow: number, rows: number} | null} how the others lie; null: all boards have the same size
 */
export function duelGrid(duel, shown) {
  const others = shown.length - 2
  if (duel.length !== 2 || others < 1 || !duel.every((seat) => shown.includes(seat))) return null
  const rows = others > MOST_IN_ROW ? 2 : 1
  return { perRow: Math.ceil(others / rows), rows }
}

/**
 * The page of boards that contains the selected one.
 * @param {readonly number[]} seats @param {number} chosen @param {number} room
 * @returns {{first: number, seats: readonly number[], before: number, after: number}} before, after: the first boards of
 *   the pages beside it, 0: none
 */
export function pageOf(seats, chosen, room) {
  const first = Math.floor(Math.max(0, seats.indexOf(chosen)) / room) * room
  return { first, seats: seats.slice(first, first + room), before: seats[first - room] ?? 0, after: seats[first + room] ?? 0 }
}
