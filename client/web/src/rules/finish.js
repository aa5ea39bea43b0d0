/** When nothing is left to decide: all cards are known, and all can go home one after the other. */

import { HIDDEN, rankOf } from './cards.js'
import { SUITS_BUILD } from './games.js'
import { FOUNDATION, moveOf, moveText, WASTE } from './moves.js'
import { nth } from './nth.js'

/** @import { Board } from './board.js' */

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

/**
 * A move that brings a card to the foundations which nobody can want to keep, or null: no card that could still be put on it
 * in a column is left there, and no card is turned up by it, so that it can be taken back.
 *
 * @param {Board} board
 * @returns {string | null}
 */
export function safeMoveOf(board) {
  const homes = [0, 1, 2, 3].map((suit) => board.foundation(suit))
  const builds = SUITS_BUILD[board.game.build]
  // Where three are drawn at a time, a card less in the waste is another order in the next pass.
  const waste = board.game.draw > 1 ? [] : [WASTE]
  for (const source of [...waste, ...board.columns.map((_, i) => i + 1)]) {
    const move = moveOf(source, FOUNDATION)
    if (!board.isLegal(move)) continue
    const pile = source === WASTE ? board.waste : nth(board.columns, source - 1)
    const card = pile.at(-1) ?? HIDDEN
    // Both cards of the rank below, of each suit that may lie on this one, have to be home.
    const isWanted = homes.some((counts, suit) => builds(suit * 13, card) && counts.some((count) => count < rankOf(card) - 1))
    const turns = source !== WASTE && pile.at(-2) === HIDDEN
    if (!isWanted && !turns) return moveText(move)
  }
  return null
}
