import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardName, HIDDEN, isRed, names, parseCard, parseCards, rankOf, suitOf } from '../../src/rules/cards.js'
import { game, SUITS_BUILD, stockOf } from '../../src/rules/games.js'
import { DRAW, FOUNDATION, moveOf, moveText, parseMove, REDEAL, WASTE } from '../../src/rules/move-notation.js'

test('cards are read back from their names, alone or together', () => {
  for (let card = HIDDEN; card < 52; card += 1) assert.equal(parseCard(cardName(card)), card)
  const ten = parseCard('TH')
  assert.deepEqual([rankOf(ten), suitOf(ten), isRed(ten), isRed(parseCard('KS'))], [10, 2, true, false])
  assert.deepEqual([parseCards(''), names(parseCards('TH4C##'))], [[], 'TH4C##'])
  for (const text of ['', 'T', '1H', 'TX', 'THH', '#']) assert.throws(() => parseCard(text), RangeError)
  assert.throws(() => parseCards('TH4'), RangeError)
})

test('moves are read back from their only text', () => {
  for (const text of ['draw', 'redeal', 'W-F', 'W-3', 'W-13', '3-F', '3-7', '13-10', '3-7x4', '12-1x13']) {
    assert.equal(moveText(parseMove(text)), text)
  }
  assert.deepEqual([parseMove('W-F'), parseMove('3-7x4')], [moveOf(WASTE, FOUNDATION), moveOf(3, 7, 4)])
  assert.deepEqual([parseMove('draw'), parseMove('redeal')], [DRAW, REDEAL])
  for (const text of ['', 'Draw', '3-7x1', '3-7x14', '3-Fx2', 'W-3x2', '0-1', '1-14', '03-7', 'F-3', 'W-W', '3-7 ']) {
    assert.throws(() => parseMove(text), RangeError, text)
  }
})

test('each game has its stock, and an unknown game is refused', () => {
  const stocks = { 'forty-thieves': 64, indian: 74, limited: 68, 'little-forty': 64, lucas: 57, maria: 68 }
  for (const [key, cards] of Object.entries(stocks)) assert.equal(stockOf(game(key)), cards)
  assert.throws(() => game('freecell'), RangeError)
})

test('a different suit is not a different colour', () => {
  const [eight, nine] = [parseCard('8C'), parseCard('9S')]
  const builds = Object.entries(SUITS_BUILD).filter(([, builds]) => builds(eight, nine))
  assert.deepEqual(Object.keys(Object.fromEntries(builds)), ['different-suit', 'any-suit'])
})
