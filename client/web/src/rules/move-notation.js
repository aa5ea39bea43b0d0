/** Moves and their only text form, used in the protocol, the logs and the tests. */

/** Piles are numbers: the columns count from 1, and the other piles have lower numbers. */
export const STOCK = -2
export const FOUNDATION = -1
export const WASTE = 0

/** @typedef {{source: number, target: number, count: number}} Move */

/** @param {number} source @param {number} target @param {number} [count] @returns {Move} */
export const moveOf = (source, target, count = 1) => ({ source, target, count })

/** The entry of a log that undoes the last move. */
export const UNDO = 'undo'

/** Drawing turns cards from the stock onto the waste; a redeal takes them back. */
export const DRAW = Object.freeze(moveOf(STOCK, WASTE))
export const REDEAL = Object.freeze(moveOf(WASTE, STOCK))

/** @param {Move} move @returns {string} */
export function moveText({ source, target, count }) {
  if (source === STOCK) return 'draw'
  if (target === STOCK) return 'redeal'
  const from = source === WASTE ? 'W' : source
  const to = target === FOUNDATION ? 'F' : target
  return count === 1 ? `${from}-${to}` : `${from}-${to}x${count}`
}

const FORM = /^(?:(W)-(F|[1-9]|1[0-3])|([1-9]|1[0-3])-(?:(F)|([1-9]|1[0-3])(?:x([2-9]|1[0-3]))?))$/

/** @param {string} text @returns {Move} */
export function parseMove(text) {
  if (text === 'draw') return DRAW
  if (text === 'redeal') return REDEAL
  const parts = FORM.exec(text)
  if (!parts) throw new RangeError(`${text} is not a move`)
  const [, waste, wasteTo, column, home, columnTo, count] = parts
  const to = waste ? wasteTo : (home ?? columnTo)
  return moveOf(waste ? WASTE : Number(column), to === 'F' ? FOUNDATION : Number(to), Number(count ?? 1))
}
