/** How hard it is to find a win: by searches that become wider until one wins. As shared/fortythieves/solver/effort.py. */

import { search } from './search.js'

/** @typedef {import('../rules/board.js').Board} Board */
/** @typedef {import('../rules/moves.js').Move} Move */
/** @typedef {1 | 2 | 3} Stars */

/** The widths that are tried one after the other. */
const WIDTHS = [1, 2, 4, 8, 16, 32, 64, 128]

/** Up to which width a deal of a game has one star, and two. @type {Record<string, readonly [number, number]>} */
const UP_TO = {}

/**
 * Search with more and more effort.
 *
 * @param {Board} board @param {number} widest
 * @returns {{moves: Move[], width: number} | null} null: no win was found, which proves nothing
 */
export function solve(board, widest) {
  for (const width of WIDTHS) {
    if (width > widest) break
    const { won, moves } = search(board, width)
    if (won) return { moves, width }
  }
  return null
}

/** How hard a deal of a game is that was won with this width. @param {string} game @param {number} width @returns {Stars} */
export function starsOf(game, width) {
  const [one, two] = UP_TO[game] ?? [4, 16]
  return width <= one ? 1 : width <= two ? 2 : 3
}

/** The width with which all deals of a game with these stars are won. @param {string} game @param {Stars} stars */
export const widestOf = (game, stars) => (stars === 3 ? 128 : ((UP_TO[game] ?? [4, 16])[stars - 1] ?? 128))
