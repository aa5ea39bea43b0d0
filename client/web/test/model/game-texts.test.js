import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWinnable, starsOf, winnableText } from '../../src/model/game-texts.js'

const WINNABLE = ['winnable', 'winnable-1', 'winnable-2', 'winnable-3']

test('the settings ask for winnable deals with any stars, or with as many as they say', () => {
  assert.deepEqual(WINNABLE.map(starsOf), [0, 1, 2, 3])
  assert.ok(WINNABLE.every(isWinnable))
  for (const other of ['secret', '32001', 'KQXWVD/1', '']) {
    assert.ok(!isWinnable(other), other)
    assert.equal(starsOf(other), 0)
  }
})

test('stars are said as far as they are known', () => {
  assert.deepEqual([null, 1, 2, 3].map(winnableText), ['can be won', 'can be won ★', 'can be won ★★', 'can be won ★★★'])
})
