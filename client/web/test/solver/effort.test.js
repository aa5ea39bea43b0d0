import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { GAMES, game } from '../../src/rules/games.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'
import { effortOf, solve, starsOf } from '../../src/solver/effort.js'
import { search } from '../../src/solver/search.js'

test('the narrowest search that wins says how hard a deal is', () => {
  const board = Board.deal(game('lucas'), deckOfNumber('32001'))
  const solved = solve(board)
  assert.ok(solved)
  assert.ok(search(board, solved.rung).won)
  for (let width = 1; width < solved.rung; width *= 2) assert.ok(!search(board, width).won)
  for (const move of solved.moves) board.play(move)
  assert.equal(board.outcome, 'won')
  assert.equal(solve(Board.deal(game('lucas'), deckOfNumber('32001')), solved.rung - 1), null)
})

test('deals of each game have one, two or three stars, and the effort for them finds them', () => {
  for (const key of GAMES.keys()) {
    const stars = [1, 2, 4, 8, 16, 32, 64, 128].map((rung) => starsOf(key, rung))
    assert.deepEqual(new Set(stars), new Set([1, 2, 3]), key)
    for (const count of /** @type {const} */ ([1, 2, 3])) assert.equal(starsOf(key, effortOf(key, count)), count)
  }
})
