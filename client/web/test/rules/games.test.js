import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCard } from '../../src/rules/cards.js'
import { game, SUITS_BUILD, stockOf } from '../../src/rules/games.js'

test('the stock is what the article says', () => {
  const stocks = { 'forty-thieves': 64, indian: 74, limited: 68, 'little-forty': 64, lucas: 57, maria: 68 }
  for (const [key, cards] of Object.entries(stocks)) assert.equal(stockOf(game(key)), cards)
})

test('an unknown game is refused', () => {
  assert.throws(() => game('freecell'), RangeError)
})

test('a different suit is not a different colour', () => {
  const [eight, nine] = [parseCard('8C'), parseCard('9S')]
  assert.equal(SUITS_BUILD['different-suit'](eight, nine), true)
  assert.equal(SUITS_BUILD['alternating-colour'](eight, nine), false)
  assert.equal(SUITS_BUILD['same-suit'](eight, nine), false)
})
