import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { guideOf, variationOf } from '../../../src/model/hint/variation.js'
import { Board } from '../../../src/rules/board.js'
import { createDealer } from '../../../src/rules/dealer.js'
import { game } from '../../../src/rules/games.js'
import { DRAW, moveText } from '../../../src/rules/moves.js'
import { deckOfNumber } from '../../../src/rules/numbered-deal.js'

/** @import { Move } from '../../../src/rules/moves.js' */

/** @type {{game: string, number: number, moves: string[]}[]} */
const WINS = JSON.parse(readFileSync(new URL('../../../../../shared/vectors/wins.json', import.meta.url), 'utf8'))

test('whoever follows a line is led to the win, without knowing a card that is not turned', () => {
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
})

test('whoever has left the line is told nothing, and again something when back on it', () => {
  const win = /** @type {(typeof WINS)[number]} */ (WINS.find(({ moves }) => moves[0] !== 'draw'))
  const board = Board.deal(game(win.game), deckOfNumber(String(win.number)))
  const guide = guideOf(board, win.moves)
  board.play(DRAW)
  assert.equal(guide(board), null)
  board.undo()
  assert.equal(moveText(/** @type {Move} */ (guide(board))), win.moves[0])
})

test('a variation has a board after each of its entries, and leaves the one where it begins', () => {
  const start = Board.deal(game('lucas'), deckOfNumber('32001'))
  const { length, board } = variationOf(start, ['draw', 'draw', 'undo'])
  assert.equal(length, 3)
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((n) => board(n).waste.length),
    [0, 1, 2, 1, 1],
  )
  assert.equal(start.waste.length, 0)
})
