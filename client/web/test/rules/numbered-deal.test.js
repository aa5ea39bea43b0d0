import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { names } from '../../src/rules/cards.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'

// Decks that PySolFC deals. Python tests use the same file.
const { numbered } = JSON.parse(readFileSync(new URL('../../../../tests/shared/rules/deals.json', import.meta.url), 'utf8'))

test('a number gives the deck that it gives everywhere', () => {
  assert.ok(numbered.length > 3)
  for (const { number, deck } of numbered) assert.equal(names(deckOfNumber(number)), deck, number)
})

test('what is no deal number gives none', () => {
  for (const text of [
    '',
    '0',
    '32000',
    '032001',
    '+32001',
    '32001.0',
    '1e5',
    '100000000000000000001',
    '9'.repeat(1000),
    '٣٢٠٠١',
  ]) {
    assert.throws(() => deckOfNumber(text), RangeError, text)
  }
})
