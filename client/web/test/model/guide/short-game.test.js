import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortGame } from '../../../src/model/guide/short-game.js'

test('the board that plays itself wins, and begins again', () => {
  const boards = shortGame()
  let next = boards.next().value
  const first = next
  while (next?.board.home !== 104) next = boards.next().value
  next = boards.next().value
  assert.deepEqual([next?.animate, next?.board.columns], [false, first?.board.columns])
})
