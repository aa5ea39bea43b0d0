/** A heap: the least comes out first. */

import { nth } from '../rules/nth.js'

/** @typedef {{readonly value: number, readonly order: number}} Ordered by value, and by order among equal values */

/** @param {Ordered} a @param {Ordered} b */
const isLess = (a, b) => a.value < b.value || (a.value === b.value && a.order < b.order)

/** @template {Ordered} T @param {T[]} heap @param {T} item */
export function push(heap, item) {
  let at = heap.length
  while (at > 0) {
    const up = (at - 1) >> 1
    const parent = nth(heap, up)
    if (!isLess(item, parent)) break
    heap[at] = parent
    at = up
  }
  heap[at] = item
}

/** @template {Ordered} T @param {T[]} heap not empty */
export function pop(heap) {
  const least = nth(heap, 0)
  const item = /** @type {T} */ (heap.pop())
  const { length } = heap
  if (!length) return least
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= length) break
    if (child + 1 < length && isLess(nth(heap, child + 1), nth(heap, child))) child += 1
    if (!isLess(nth(heap, child), item)) break
    heap[at] = nth(heap, child)
    at = child
  }
  heap[at] = item
  return least
}
