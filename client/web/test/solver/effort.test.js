import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GAMES } from '../../src/rules/games.js'
import { effortOf, solve, starsOf } from '../../src/solver/effort.js'
import { EFFORT, widthsOf, wonOf } from '../../src/solver/measured.js'
import { search } from '../../src/solver/search.js'
import { dealt } from '../helpers.js'

test('the narrowest search that wins gives the difficulty of a deal', () => {
  const board = dealt('lucas', 32001)
  const solved = solve(board)
  assert.ok(solved)
  assert.ok(search(board, solved.rung).won)
  for (let width = 1; width < solved.rung; width *= 2) assert.ok(!search(board, width).won)
  for (const move of solved.moves) board.play(move)
  assert.equal(board.outcome, 'won')
  assert.equal(solve(dealt('lucas', 32001), solved.rung - 1), null)
})

test('each game is measured, has deals of one to three stars, and the efforts for them', () => {
  for (const key of GAMES.keys()) {
    const [one, two] = widthsOf(key)
    if (!one || !two) continue // all of its deals have one star
    assert.ok(0 < one && one < two && two < EFFORT && wonOf(key) >= 0 && wonOf(key) <= 100, key)
    const stars = [1, 2, 4, 8, 16, 32, 64, 128].map((rung) => starsOf(key, rung))
    assert.deepEqual(new Set(stars), new Set([1, 2, 3]), key)
    for (const count of /** @type {const} */ ([1, 2, 3])) assert.equal(starsOf(key, effortOf(key, count)), count)
  }
})
