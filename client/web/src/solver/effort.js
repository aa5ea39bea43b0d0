/** How hard a deal is: the width of the narrowest search that wins it, as in shared/fortythieves/solver/effort.py. */
import { SOLVER_WIDTHS } from '../protocol/constants.js'
import { nth } from '../rules/nth.js'
import { EFFORT, widthsOf } from './measured.js'
import { search } from './search.js'

/** @import { Board } from '../rules/board.js' */
/** @import { Move } from '../rules/move-notation.js' */
/** @typedef {1 | 2 | 3} Stars */

/**
 * Search with each width of the ladder up to the effort, until one search wins.
 * @param {Board} board @param {number} [effort]
 * @returns {{moves: Move[], rung: number} | null} null: no win was found, which proves nothing
 */
export function solve(board, effort = EFFORT) {
  for (const rung of SOLVER_WIDTHS) {
    if (rung > effort) break
    const { won, moves } = search(board, rung)
    if (won) return { moves, rung }
  }
  return null
}

/** How hard a deal is if a search with the width `rung` won it. @param {string} game @param {number} rung @returns {Stars} */
export function starsOf(game, rung) {
  const [one = EFFORT, two = EFFORT] = widthsOf(game)
  return rung <= one ? 1 : rung <= two ? 2 : 3
}

/** The effort that wins all deals with these stars in a game. @param {string} game @param {Stars} stars */
export const effortOf = (game, stars) => nth([...widthsOf(game), EFFORT], stars - 1)
