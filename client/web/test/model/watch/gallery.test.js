import assert from 'node:assert/strict'
import { test } from 'node:test'
import { galleryOf, withMore } from '../../../src/model/watch/gallery.js'

/** @import { Entry } from '../../../src/model/watch/gallery.js' */

/** @type {[number, Entry[]][]} */
const LOGS = [
  [
    1,
    [
      ['draw', 'KH'],
      ['4-5', ''],
    ],
  ],
  [2, []],
]
const gallery = galleryOf(3, 'frontier', ['9S4D8D'], LOGS)

test('more entries follow those that were shown', () => {
  const more = withMore(gallery, 3, [
    [1, 2, [['W-4', '']]],
    [2, 0, [['draw', 'KH']]],
  ])
  assert.deepEqual(more?.logs.get(1), [
    ['draw', 'KH'],
    ['4-5', ''],
    ['W-4', ''],
  ])
  assert.deepEqual(more?.logs.get(2), [['draw', 'KH']])
})

test('what was shown before is left alone', () => {
  withMore(gallery, 3, [[1, 2, [['W-4', '']]]])
  assert.equal(gallery.logs.get(1)?.length, 2)
})

test('a racer who is new begins with no entries', () => {
  assert.deepEqual(withMore(gallery, 3, [[7, 0, [['draw', '']]]])?.logs.get(7), [['draw', '']])
})

test('a gap is noticed', () => {
  assert.equal(withMore(gallery, 3, [[1, 3, [['W-4', '']]]]), null)
})

test('entries that were shown already are a gap as well', () => {
  assert.equal(withMore(gallery, 3, [[1, 1, [['4-5', '']]]]), null)
})

test('what belongs to another race changes nothing', () => {
  assert.equal(withMore(gallery, 2, [[1, 2, [['W-4', '']]]]), gallery)
})
