import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { names, parseCards } from '../../src/rules/cards.js'
import { GAMES, game } from '../../src/rules/games.js'
import { checkDeal, commitmentOf, deckOfSecret } from '../../src/rules/secret-deal.js'
import { vectors } from '../helpers.js'

/** @type {{secret: string, nonces: string[], commitment: string, deck: string}[]} */
const DEALS = vectors('deals.json', 'tests/shared/rules').secret

test('a secret and the nonces give the commitment and the deck of the vectors', () => {
  assert.ok(DEALS.some(({ nonces }) => nonces.length > 1))
  for (const { secret, nonces, commitment, deck } of DEALS) {
    assert.equal(commitmentOf(secret), commitment)
    assert.equal(names(deckOfSecret(secret, nonces)), deck)
  }
})

test('a true deal is proved in every game, with the nonces in the order of the seats', () => {
  const { secret, nonces, commitment, deck } = DEALS.find(({ nonces }) => nonces.length > 1) ?? assert.fail()
  const bySeat = Object.fromEntries(nonces.map((nonce, i) => [9 + i, nonce]))
  for (const row of GAMES.values()) {
    const start = Board.deal(row, parseCards(deck)).start
    assert.equal(checkDeal({ game: row, secret, nonces: bySeat, commitment, start }), 'verified')
  }
})

test('another secret, another nonce or another start is found out', () => {
  const { secret, commitment, deck } = DEALS.find(({ nonces }) => !nonces.length) ?? assert.fail()
  const start = Board.deal(game('lucas'), parseCards(deck)).columns.map(names)
  const race = { game: game('lucas'), secret, nonces: {}, commitment, start }
  assert.equal(checkDeal(race), 'verified')
  assert.equal(checkDeal({ ...race, secret: 'ff'.repeat(32) }), 'broken')
  assert.equal(checkDeal({ ...race, start: null }), 'kept')
  assert.equal(checkDeal({ ...race, nonces: { 1: 'aa'.repeat(16) } }), 'other')
  assert.equal(checkDeal({ ...race, start: [...start].reverse() }), 'other')
})
