/** Deals a known deck to one player, as the server does: the player's board learns a card only when it is revealed. */
import { Board } from './board.js'

/** @import { Card } from './cards.js' */
/** @import { Game } from './games.js' */

/** @param {Game} game @param {readonly Card[]} deck in deal order */
export function createDealer(game, deck) {
  const whole = Board.deal(game, deck)
  const board = Board.ofStart(game, whole.start)
  return {
    /** The player's board. It changes with every move. */
    board,
    /** Makes a move of the player, or undoes the last one. Throws `Illegal`. @param {string} text */
    play: (text) => void board.enter(text, whole.enter(text)),
  }
}
