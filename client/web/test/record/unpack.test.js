import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '@msgpack/msgpack'
import { Foreign, unpack } from '../../src/record/unpack.js'
import { bytesOf } from '../helpers.js'

test('values of JSON are read', () => {
  const text = ['', 'a', 'b'.repeat(31), 'c'.repeat(32), 'd'.repeat(300), 'é'.repeat(70_000)]
  const wholes = [0, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1]
  const numbers = [...wholes, -1, -32, -33, -128, -129, -32_769, -(2 ** 31) - 1, 0.5]
  const value = { text, numbers, some: { true: true, false: false, null: null } }
  assert.deepEqual(unpack(encode(value)), value)
  const list = Array.from({ length: 70_000 }, (_, i) => i)
  const wide = { list, map: Object.fromEntries(list.slice(0, 300).map((i) => [`k${i}`, i])) }
  assert.deepEqual(unpack(encode(wide)), wide)
})

test('the bytes may be part of others, and a key such as __proto__ is only a key', () => {
  const all = encode([0, [1, 2]])
  assert.deepEqual(unpack(all.subarray(2)), [1, 2])
  const value = /** @type {any} */ (unpack(bytesOf('81 a9 5f5f70726f746f5f5f 81 a1 61 01')))
  assert.deepEqual(Object.keys(value), ['__proto__'])
  assert.equal(value.a, undefined)
})

test('cut bytes are refused, and lists in lists reserve no memory', () => {
  const cut = ['', '92 01', 'a3 61 62', 'cd 01', '81 a1 61', 'cf 01 02', 'c6 ff ff ff ff', 'db ff ff ff ff', 'dd ff ff ff ff']
  for (const hex of [...cut, 'df ff ff ff ff', '01 01', 'c1', 'a1 ff']) {
    assert.throws(() => unpack(bytesOf(hex)), { name: /^(Range|Type)Error$/ }, hex)
  }
  assert.throws(() => unpack(bytesOf('dd 7f ff ff ff'.repeat(1_000_000))), RangeError)
})

test('values that JSON does not have are foreign', () => {
  const some = ['c4 01 00', 'c5 00 01 00', 'c6 00 00 00 01 00', 'd4 05 00', 'd6 ff 00 00 00 00', `d8 05${'00'.repeat(16)}`]
  for (const hex of [...some, 'c7 01 05 00', 'c8 00 01 05 00', 'c9 00 00 00 01 05 00', '81 01 01', '81 c0 01']) {
    assert.throws(() => unpack(bytesOf(hex)), Foreign, hex)
    assert.throws(() => unpack(bytesOf(hex).slice(0, -1)), RangeError, `${hex} but the last byte`)
  }
})

test('of two equal keys the last one counts, as in JSON', () => {
  assert.deepEqual(unpack(bytesOf('82 a1 61 01 a1 61 02')), JSON.parse('{"a": 1, "a": 2}'))
})
