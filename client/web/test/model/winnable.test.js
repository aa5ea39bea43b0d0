import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countReady, isOffered, isWinnable, starsOf, WINNABLE, winnableText } from '../../src/model/winnable.js'

test('the settings ask for winnable deals with any stars, or with as many as they say', () => {
  assert.deepEqual(WINNABLE.map(starsOf), [0, 1, 2, 3])
  assert.ok(WINNABLE.every(isWinnable))
  for (const other of ['secret', '32001', 'KQXWVD/1', 'winnable-4']) {
    assert.ok(!isWinnable(other), other)
    assert.equal(starsOf(other), 0)
  }
})

test('stars are said as far as they are known', () => {
  assert.deepEqual([null, 1, 2, 3].map(winnableText), ['can be won', 'can be won ★', 'can be won ★★', 'can be won ★★★'])
})

test('deals are ready with the stars that are asked for, or with any', () => {
  /** @type {import('../../src/model/winnable.js').Ready} */
  const found = { needed: 16, ready: { lucas: [5, 6, 7] } }
  assert.deepEqual(
    WINNABLE.map((deal) => countReady(found, { game: 'lucas', deal })),
    [18, 5, 6, 7],
  )
  assert.equal(countReady(found, { game: 'maria', deal: 'winnable' }), 0)
})

test('a server that prepares no deals offers none', () => {
  assert.ok(!isOffered(null))
  assert.ok(!isOffered({ needed: 16, ready: {} }))
  assert.ok(isOffered({ needed: 16, ready: { lucas: [0, 0, 0] } }))
})
