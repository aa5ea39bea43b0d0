import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pop, push } from '../../src/solver/heap.js'

test('what is least comes out first, and what came first of equal values', () => {
  const items = Array.from({ length: 500 }, (_, order) => ({ value: (order * 7919) % 83, order }))
  /** @type {typeof items} */
  const heap = []
  for (const item of items) push(heap, item)
  const popped = items.map(() => pop(heap))
  assert.deepEqual(
    popped,
    items.toSorted((a, b) => a.value - b.value || a.order - b.order),
  )
  assert.equal(heap.length, 0)
})
