import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPages, windowOf } from '../../src/tournament/table-pages.js'
import { joined } from '../helpers.js'

const rows = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i)

test('a table is shown in full pages', () => {
  assert.equal(joined(inPages(rows(23), 10).map((page) => page.length)), '10 10 3')
  assert.deepEqual(inPages(rows(10), 10).length, 1)
  assert.deepEqual(inPages(rows(500), 10).flat(), rows(500))
  assert.deepEqual(inPages([], 10), [[]])
})

test('only the visible rows are rendered, and a few more', () => {
  assert.deepEqual(windowOf(0, 440, 44, 500, 5), { first: 0, last: 15 })
  assert.deepEqual(windowOf(4400, 440, 44, 500, 5), { first: 95, last: 115 })
  assert.deepEqual(windowOf(99999, 440, 44, 500, 5).last, 500)
})
