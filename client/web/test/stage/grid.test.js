import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsFor, duelGrid, pageOf, roomFor } from '../../src/stage/grid.js'
import { joined } from '../helpers.js'

test('two boards are large above rows of the others, if both are on the page and there are others', () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  assert.deepEqual(
    [3, 6, 9].map((count) => duelGrid([1, 3], all.slice(0, count))),
    [
      { perRow: 1, rows: 1 },
      { perRow: 4, rows: 1 },
      { perRow: 4, rows: 2 },
    ],
  )
  assert.deepEqual([duelGrid([1, 2], [1, 2]), duelGrid([1, 5], [1, 2, 3]), duelGrid([], all)], [null, null, null])
})

test('boards are as large as possible: one on a phone, nine on a desktop', () => {
  assert.deepEqual([roomFor(352, 520), roomFor(590, 340), roomFor(0, 0)], [1, 1, 1])
  assert.deepEqual([roomFor(962, 360), roomFor(976, 690), roomFor(2500, 1400)], [4, 9, 9])
  assert.equal(joined([1, 2, 4, 6, 9].map((count) => columnsFor(count, 976, 690))), '1 2 2 3 3')
  assert.equal(columnsFor(2, 500, 900), 1)
})

test('the page with the chosen board is shown, else the first one', () => {
  const seats = [1, 2, 3, 5, 8, 13, 21]
  assert.deepEqual(pageOf(seats, 3, 3), { first: 0, seats: [1, 2, 3], before: 0, after: 5 })
  assert.deepEqual(pageOf(seats, 5, 3), { first: 3, seats: [5, 8, 13], before: 1, after: 21 })
  assert.deepEqual(pageOf(seats, 21, 3), { first: 6, seats: [21], before: 5, after: 0 })
  assert.deepEqual(pageOf([4, 5], 9, 9), { first: 0, seats: [4, 5], before: 0, after: 0 })
})
