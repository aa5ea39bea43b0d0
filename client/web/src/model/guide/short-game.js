/** A short game that was won, for a board that plays itself. */
import { Board } from '../../rules/board.js'
import { game } from '../../rules/games.js'
import { deckOfNumber } from '../../rules/numbered-deal.js'

export const GAME = 'little-forty'
const NUMBER = '32043'
const MOVES = (
  '2-9,5-F,1-2,8-5,1-F,8-F,8-9,draw,8-F,draw,4-3,W-4,W-F,draw,W-8,W-F,9-F,3-F,9-F,W-F,3-F,9-F,4-9x2,4-F,4-8,9-4x3,' +
  '9-5,9-F,W-F,W-2,W-F,2-5x3,draw,2-3,2-3,draw,W-2,W-F,W-F,draw,W-4,draw,W-F,W-F,W-8,W-F,W-F,8-4x3,6-F,6-3,W-6,W-F,' +
  'W-F,draw,1-F,draw,W-F,W-5,10-1,10-F,4-F,7-F,W-F,W-F,W-5,2-F,W-7,draw,draw,W-3,W-F,W-F,1-F,draw,W-F,3-7x5,3-1,' +
  'draw,draw,W-F,10-F,3-F,W-F,7-F,W-4,draw,draw,W-F,W-F,draw,draw,7-F,W-F,5-F,5-F,W-F,7-10x4,7-F,W-F,6-7x2,W-F,6-F,' +
  'W-F,draw,draw,W-F,W-F,10-F,W-F,10-F,10-F,4-F,10-F,4-F,10-F,W-F,5-2,5-F,4-F,4-F,7-F,1-F,1-F,W-F,5-F,W-F,5-1x2,' +
  '5-F,W-F,W-1,W-F,W-F,5-7,W-1,5-F,W-3,W-F,draw,W-2,W-F,W-4,2-F,W-F,1-F,W-F,W-F,W-F,W-F,4-F,2-F,W-4,W-F,1-F,1-F,' +
  '1-F,4-F,7-F,7-F,4-F,4-F,7-F,7-F,4-F,draw,W-F,3-F'
).split(',')

/** Its boards, from the deal to the win, again and again: each with whether it follows from the one before. */
export function* shortGame() {
  for (;;) {
    const board = Board.deal(game(GAME), deckOfNumber(NUMBER))
    yield { board: board.copy(), animate: false }
    for (const move of MOVES) {
      board.enter(move)
      yield { board: board.copy(), animate: true }
    }
  }
}
