import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRead, markRead } from '../../src/browser/read-news.js'

test('an announcement that was put away stays so, in its room, and a newer one does not', () => {
  markRead('KQXWVD', 1000)
  assert.ok(isRead('KQXWVD', 1000))
  assert.ok(!isRead('KQXWVD', 2000))
  assert.ok(!isRead('ABCDEF', 1000))
})

test('only the last ones are remembered, and none of them twice', () => {
  markRead('ABCDEF', 1)
  for (let at = 2; at <= 20; at++) markRead('ABCDEF', at)
  markRead('ABCDEF', 20)
  assert.ok(isRead('ABCDEF', 1))
  markRead('ABCDEF', 21)
  assert.deepEqual([isRead('ABCDEF', 1), isRead('ABCDEF', 2), isRead('ABCDEF', 21)], [false, true, true])
})
