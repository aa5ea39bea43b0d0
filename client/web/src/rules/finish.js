/** When nothing is left to decide: all cards are known, and all can go home one after the other. */

import { HIDDEN } from './cards.js'
import { FOUNDATION, moveOf, moveText, WASTE } from './moves.js'

/** @typedef {import('./board.js').Board} Board */

/**
 * The moves that bring all cards home, if nothing but moves to the foundations is needed and no card has to be turned up
 * for it; otherwise null. As such a move is never in the way of another one, it does not matter which is made first.
 *
 * @param {Board} board
 * @returns {string[] | null} empty: all cards are home
 */
export function finishOf(board) {
  if (board.stockCount) return null
  if (board.columns.some((column) => column.includes(HIDDEN)) || board.waste.includes(HIDDEN)) return null
  const left = board.copy()
  const sources = [WASTE, ...board.columns.map((_, i) => i + 1)]
  /** @type {string[]} */
  const moves = []
  for (let before = -1; before < moves.length; ) {
    before = moves.length
    for (const source of sources) {
      const move = moveOf(source, FOUNDATION)
      while (left.isLegal(move)) {
        left.play(move)
        moves.push(moveText(move))
      }
    }
  }
  return left.outcome === 'won' ? moves : null
}
