import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardName, HIDDEN, isRed, names, parseCard, parseCards, rankOf, suitOf } from '../../src/rules/cards.js'

test('every card is read back from its name', () => {
  for (let card = HIDDEN; card < 52; card += 1) assert.equal(parseCard(cardName(card)), card)
})

test('a card has a rank and a suit, and hearts and diamonds are red', () => {
  const ten = parseCard('TH')
  assert.deepEqual([rankOf(ten), suitOf(ten), isRed(ten)], [10, 2, true])
  assert.equal(isRed(parseCard('KS')), false)
})

test('several cards are written without anything between them', () => {
  assert.deepEqual(parseCards(''), [])
  assert.equal(names(parseCards('TH4C##')), 'TH4C##')
})

test('what is no card is refused', () => {
  for (const text of ['', 'T', '1H', 'TX', 'THH', '#']) assert.throws(() => parseCard(text), RangeError)
  assert.throws(() => parseCards('TH4'), RangeError)
})
