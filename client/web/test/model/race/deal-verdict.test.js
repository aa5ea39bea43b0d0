import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verdictOf } from '../../../src/model/race/deal-verdict.js'

test('a deal is called fair only if all checks pass and a racer gave a number', () => {
  const found = /** @type {const} */ ({ result: 'verified', given: 2, objections: 0 })
  assert.equal(verdictOf(found), 'fair')
  assert.equal(verdictOf({ ...found, result: 'drawn' }), 'fair')
  assert.equal(verdictOf({ ...found, result: null }), 'checking')
  assert.equal(verdictOf({ ...found, given: 0 }), 'unproved')
  for (const result of /** @type {const} */ (['broken', 'other', 'unpromised', 'unchosen'])) {
    assert.equal(verdictOf({ ...found, result, given: 0 }), 'wrong')
  }
  assert.equal(verdictOf({ ...found, objections: 1 }), 'wrong', 'this browser remembers another promise')
  assert.equal(verdictOf({ ...found, result: null, objections: 1 }), 'wrong')
})
