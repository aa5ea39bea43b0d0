import assert from 'node:assert/strict'
import { test } from 'node:test'
import { names } from '../../src/rules/cards.js'
import { createDealer } from '../../src/rules/dealer.js'
import { game } from '../../src/rules/games.js'
import { moveText } from '../../src/rules/move-notation.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'
import { search } from '../../src/solver/search.js'
import { dealt, pluck, vectors } from '../helpers.js'

// The search is the same as on the server: shared/vectors/solver.json has its results for positions of all games.

/**
 * @type {{game: string, number: number, before: string[], width: number, won: boolean, home: number, positions: number,
 *   line: string[]}[]}
 */
const VECTORS = vectors('solver.json')

for (const key of new Set(pluck(VECTORS, 'game'))) {
  test(`${key}: the same line as on the server, with the same work`, () => {
    const own = VECTORS.filter((vector) => vector.game === key)
    assert.ok(own.length >= 8)
    for (const { number, before, width, won, home, positions, line } of own) {
      const board = dealt(key, number, before)
      const found = search(board, width)
      assert.equal(found.moves.map(moveText).join(' '), line.join(' '))
      assert.deepEqual([found.won, found.home, found.positions], [won, home, positions])
      for (const move of found.moves) board.play(move)
      assert.equal(board.home, home)
      assert.equal(board.outcome === 'won', won)
    }
  })
}

test('a search does not change the board, which must be known', () => {
  const board = dealt('lucas', 32001)
  const before = [board.columns.map(names), board.stockCount, board.movesMade]
  search(board, 4)
  assert.deepEqual([board.columns.map(names), board.stockCount, board.movesMade], before)
  const { board: unknown } = createDealer(game('lucas'), deckOfNumber('32001'))
  assert.throws(() => search(unknown, 4), RangeError)
})
