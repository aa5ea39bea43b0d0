/** Deals a deck that is known here to one player, as the server does: no card is on the player's board before it is turned. */

import { Board } from './board.js'
import { cardName } from './cards.js'
import { parseMove } from './moves.js'

/**
 * @import { Card } from './cards.js'
 * @import { Game } from './games.js'
 */

/** @param {Game} game @param {readonly Card[]} deck in deal order */
export function createDealer(game, deck) {
  const whole = Board.deal(game, deck)
  const start = whole.columns.map((column) => column.map(cardName).join(''))
  const board = Board.ofStart(game, start)
  return {
    /** The player's board. It changes with every move. */
    board,

    /** Makes a move of the player, or takes the last one back. Throws `Illegal`. @param {string} text */
    play(text) {
      if (text === 'undo') {
        whole.undo()
        board.undo()
      } else {
        const move = parseMove(text)
        board.play(move, whole.play(move))
      }
    },
  }
}
