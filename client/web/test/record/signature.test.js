import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isKey, isSigned, isSound } from '../../src/record/signature.js'

// Written by tests/shared/make_signatures.py. Python tests use the same file.
const { weak, sound, signed } = JSON.parse(
  readFileSync(new URL('../../../../shared/vectors/signatures.json', import.meta.url), 'utf8'),
)

const bytesOf = (/** @type {string} */ hex) => Uint8Array.from(Buffer.from(hex, 'hex'))

test('no point of small order is a key, however it is written', () => {
  assert.equal(weak.length, 14)
  for (const point of weak) {
    assert.equal(isSound(bytesOf(point)), false, point)
    assert.equal(isKey(point), false, point)
  }
  for (const point of sound) assert.ok(isSound(bytesOf(point)), point)
})

test('a key of small order has signed nothing, and neither has anybody with such an R', () => {
  for (const key of weak) {
    for (const r of weak) {
      for (let n = 0; n < 16; n++) assert.equal(isSigned(Uint8Array.of(n), r + '00'.repeat(32), key), false)
    }
  }
})

test('what is signed is accepted, and nothing else', () => {
  for (const { content, signature, key, ok } of signed) {
    assert.equal(isSigned(bytesOf(content), signature, key), ok, signature)
  }
})

test('what is no key is none', () => {
  for (const key of [null, 1, '', 'ab', 'g'.repeat(64), 'A'.repeat(64), ['0'.repeat(64)]]) assert.equal(isKey(key), false)
})
