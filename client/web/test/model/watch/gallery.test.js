import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withMore } from '../../../src/model/watch/gallery.js'

/** @import { Entry } from '../../../src/model/watch/gallery.js' */

/** Entries that reveal no card. @param {string[]} texts @returns {Entry[]} */
const entries = (...texts) => texts.map((text) => [text, ''])

const logs = new Map([[1, entries('draw', '4-5')], [2, []]]) // biome-ignore format: pairs
const gallery = { race: 3, policy: 'frontier', start: ['9S4D8D'], logs }

test('new entries follow the shown ones, and the old gallery stays unchanged', () => {
  const draw = entries('draw')
  const more = withMore(gallery, 3, [[1, 2, entries('W-4')], [2, 0, draw], [7, 0, draw]]) // biome-ignore format: rows
  assert.deepEqual(more?.logs.get(1), entries('draw', '4-5', 'W-4'))
  assert.deepEqual([more?.logs.get(2), more?.logs.get(7)], [draw, draw])
  assert.equal(gallery.logs.get(1)?.length, 2)
})

test('entries after a gap, or shown before, are refused', () => {
  for (const before of [3, 1]) assert.equal(withMore(gallery, 3, [[1, before, entries('W-4')]]), null)
})

test('entries of another race change nothing', () => {
  assert.equal(withMore(gallery, 2, [[1, 2, entries('W-4')]]), gallery)
})
