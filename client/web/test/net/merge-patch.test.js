import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merge } from '../../src/net/merge-patch.js'

// RFC 7396, Appendix A.
const CASES = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

test('the examples of RFC 7396 hold', () => {
  for (const [target, patch, result] of CASES) assert.deepEqual(merge(target, patch), result)
})

test('the target stays as it was, and what the patch does not name is shared', () => {
  const target = { a: { b: 1 }, c: { d: 2 } }
  const merged = merge(target, { a: { b: 3 } })
  assert.deepEqual(target, { a: { b: 1 }, c: { d: 2 } })
  assert.equal(merged.c, target.c)
})
