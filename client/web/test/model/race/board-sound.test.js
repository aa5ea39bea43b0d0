import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soundOf } from '../../../src/model/race/board-sound.js'
import { dealt, WINS } from '../../helpers.js'

test('each move has its sound, and the last one that of a win', () => {
  for (const { game, number, moves } of WINS) {
    const board = dealt(game, number)
    moves.forEach((text, before) => {
      board.enter(text)
      const kind = /draw|redeal/.test(text) ? 'draw' : text.endsWith('F') ? 'home' : 'move'
      assert.equal(soundOf(before, board), before + 1 === moves.length ? 'won' : kind)
    })
  }
})

test('an undo has a sound, several moves together have none', () => {
  const board = dealt('lucas', 32001)
  assert.equal(soundOf(0, board), null)
  board.enter('draw')
  board.enter('draw')
  assert.equal(soundOf(0, board), null, 'two at once: another device’s')
  board.undo()
  assert.equal(soundOf(2, board), 'undo')
})
