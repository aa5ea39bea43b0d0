/** A board that plays itself: without a plan, but each move is legal and gets on. */
import { Board } from '../../rules/board.js'
import { game } from '../../rules/games.js'
import { FOUNDATION, WASTE } from '../../rules/move-notation.js'
import { deckOfNumber } from '../../rules/numbered-deal.js'

const FIRST = 32043

/** A card home, else a card from the waste, else from the stock. No card moves between columns, so the game ends. @param {Board} board */
function nextMove(board) {
  const moves = [...board.legalMoves()].filter(({ source, target }) => target === FOUNDATION || source <= WASTE)
  return (
    moves.find(({ target }) => target === FOUNDATION) ??
    moves.find(({ source, target }) => source === WASTE && target > WASTE) ??
    moves[0]
  )
}

/** Boards of one deal after the other, each with whether it follows from the one before. @param {string} key of the game */
export function* shortGame(key) {
  for (let number = FIRST; ; number += 1) {
    const board = Board.deal(game(key), deckOfNumber(String(number)))
    yield { board: board.copy(), animate: false }
    for (let move = nextMove(board); move; move = nextMove(board)) {
      board.play(move)
      yield { board: board.copy(), animate: true }
    }
  }
}
