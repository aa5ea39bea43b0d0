import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dealNumber } from '../../src/browser/deal-number.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'

test('a typed number is used, and a random one is the number of a deal', () => {
  assert.equal(dealNumber(' 32313 '), '32313')
  for (const random of [0, 2 ** 32 - 1]) assert.equal(deckOfNumber(dealNumber('', () => random)).length, 104)
})
