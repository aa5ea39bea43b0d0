/** Automatic moves to the foundations when the player has nothing left to decide. */
import { HIDDEN } from './cards.js'
import { familyOf, fits, orderOf } from './games.js'
import { FOUNDATION, moveOf, moveText, WASTE } from './move-notation.js'
import { nth } from './nth.js'

/** @import { Board } from './board.js' */

const CARDS = Array.from({ length: 52 }, (_, card) => card)

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
  const { base, foundations, game } = board
  const isHome = (/** @type {number} */ card) =>
    nth(foundations, familyOf(game, card, base)).every((height) => height >= orderOf(card, base))
  // If three cards are drawn at a time, a card that leaves the waste changes the order of the next pass.
  const waste = board.game.draw > 1 ? [] : [WASTE]
  for (const source of [...waste, ...board.columns.map((_, i) => i + 1)]) {
    const move = moveOf(source, FOUNDATION)
    if (!board.isLegal(move)) continue
    const pile = source === WASTE ? board.waste : nth(board.columns, source - 1)
    const card = pile.at(-1) ?? HIDDEN
    const isWanted = CARDS.some((other) => fits(game, game.build, other, card) && !isHome(other))
    const refills = game.empty === 'refill' && pile.length === 1
    const turns = source !== WASTE && (pile.at(-2) === HIDDEN || refills)
    if (!isWanted && !turns) return moveText(move)
  }
  return null
}
