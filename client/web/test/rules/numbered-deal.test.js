import assert from 'node:assert/strict'
import { test } from 'node:test'
import { names } from '../../src/rules/cards.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'
import { vectors } from '../helpers.js'

// Decks that PySolFC deals.
const { numbered } = vectors('deals.json', 'tests/shared/rules')

test('a number gives the same deck as elsewhere', () => {
  assert.ok(numbered.length > 3)
  for (const { number, deck } of numbered) assert.equal(names(deckOfNumber(number)), deck, number)
})

test('other texts than the number of a deal are refused', () => {
  const wrong = ['', '0', '32000', '032001', '+32001', '32001.0', '1e5', '100000000000000000001', '9'.repeat(1000), '٣٢٠٠١']
  for (const text of wrong) assert.throws(() => deckOfNumber(text), RangeError, text)
})
