import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DRAW, FOUNDATION, moveOf, moveText, parseMove, REDEAL, WASTE } from '../../src/rules/moves.js'

test('every move is read back from its text', () => {
  for (const text of ['draw', 'redeal', 'W-F', 'W-3', 'W-13', '3-F', '3-7', '13-10', '3-7x4', '12-1x13']) {
    assert.equal(moveText(parseMove(text)), text)
  }
})

test('a text says what moves where', () => {
  assert.deepEqual(parseMove('W-F'), moveOf(WASTE, FOUNDATION))
  assert.deepEqual(parseMove('3-7x4'), moveOf(3, 7, 4))
  assert.equal(parseMove('draw'), DRAW)
  assert.equal(parseMove('redeal'), REDEAL)
})

test('there is one text for a move, and nothing else is one', () => {
  for (const text of ['', 'Draw', '3-7x1', '3-7x14', '3-Fx2', 'W-3x2', '0-1', '1-14', '03-7', 'F-3', 'W-W', '3-7 ']) {
    assert.throws(() => parseMove(text), RangeError, text)
  }
})
