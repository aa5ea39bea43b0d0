import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKey, isSigned, isSound } from '../../src/record/signature.js'
import { bytesOf, vectors } from '../helpers.js'

// Python tests use the same file.
const { weak, sound, signed } = vectors('signatures.json')

test('points of small order are no keys, and sign nothing', () => {
  assert.equal(weak.length, 14)
  for (const point of weak) {
    assert.equal(isSound(bytesOf(point)), false, point)
    assert.equal(isKey(point), false, point)
  }
  for (const point of sound) assert.ok(isSound(bytesOf(point)), point)
  for (const key of weak) {
    for (const r of weak) {
      for (let n = 0; n < 16; n++) assert.equal(isSigned(Uint8Array.of(n), r + '00'.repeat(32), key), false)
    }
  }
})

test('only a true signature is accepted, and only a key is a key', () => {
  for (const { content, signature, key, ok } of signed) {
    assert.equal(isSigned(bytesOf(content), signature, key), ok, signature)
  }
  for (const key of [null, 1, '', 'ab', 'g'.repeat(64), 'A'.repeat(64), ['0'.repeat(64)]]) assert.equal(isKey(key), false)
})
