/** Automatic moves to the foundations when the player has nothing left to decide. */
import { HIDDEN, rankOf } from './cards.js'
import { SUITS_BUILD } from './games.js'
import { FOUNDATION, moveOf, moveText, WASTE } from './move-notation.js'
import { nth } from './nth.js'

/** @import { Board } from './board.js' */

/**
 * The moves that bring all cards home, or null if that needs another kind of move or the reveal of a card. The order does not
 * matter, because a move to the foundations never blocks another one.
 * @param {Board} board @returns {string[] | null} empty: all cards are home
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
 * A move to the foundations that can do no harm, or null. No card is left that could be placed on the moved card in a column.
 * The move reveals no card, so the player can undo it.
 * @param {Board} board @returns {string | null}
 */
export function safeMoveOf(board) {
  const homes = [0, 1, 2, 3].map((suit) => board.foundation(suit))
  const builds = SUITS_BUILD[board.game.build]
  // If three cards are drawn at a time, a card that leaves the waste changes the order of the next pass.
  const waste = board.game.draw > 1 ? [] : [WASTE]
  for (const source of [...waste, ...board.columns.map((_, i) => i + 1)]) {
    const move = moveOf(source, FOUNDATION)
    if (!board.isLegal(move)) continue
    const pile = source === WASTE ? board.waste : nth(board.columns, source - 1)
    const card = pile.at(-1) ?? HIDDEN
    // Of each suit that may lie on this card, both cards of the rank below must be home.
    const isWanted = homes.some((counts, suit) => builds(suit * 13, card) && counts.some((count) => count < rankOf(card) - 1))
    const turns = source !== WASTE && pile.at(-2) === HIDDEN
    if (!isWanted && !turns) return moveText(move)
  }
  return null
}
