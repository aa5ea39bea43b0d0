import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guideOf, variationOf } from '../../../src/model/hint/variation.js'
import { Board } from '../../../src/rules/board.js'
import { createDealer } from '../../../src/rules/dealer.js'
import { game } from '../../../src/rules/games.js'
import { DRAW, moveText } from '../../../src/rules/move-notation.js'
import { deckOfNumber } from '../../../src/rules/numbered-deal.js'
import { dealt, WINS } from '../../helpers.js'

/** @import { Move } from '../../../src/rules/move-notation.js' */

test('the guide leads along a line to the win, and is silent beside it', () => {
  for (const { game: key, number, moves } of WINS) {
    const deck = deckOfNumber(String(number))
    const guide = guideOf(Board.deal(game(key), deck), moves)
    const dealer = createDealer(game(key), deck)
    for (let n = 0; n < 2 * moves.length && dealer.board.outcome !== 'won'; n += 1) {
      const move = guide(dealer.board)
      assert.ok(move, key)
      dealer.play(moveText(move))
    }
    assert.equal(dealer.board.outcome, 'won')
    assert.equal(guide(dealer.board), null)
  }
  const win = WINS.find(({ moves }) => moves[0] !== 'draw') ?? assert.fail()
  const board = dealt(win.game, win.number)
  const guide = guideOf(board, win.moves)
  board.play(DRAW)
  assert.equal(guide(board), null)
  board.undo()
  assert.equal(moveText(/** @type {Move} */ (guide(board))), win.moves[0])
})

test('a variation has a board after each entry, and does not change the first one', () => {
  const start = dealt('lucas', 32001)
  const { length, board } = variationOf(start, ['draw', 'draw', 'undo'])
  assert.equal(length, 3)
  assert.equal([0, 1, 2, 3, 4].map((n) => board(n).waste.length).join(' '), '0 1 2 1 1')
  assert.equal(start.waste.length, 0)
})
