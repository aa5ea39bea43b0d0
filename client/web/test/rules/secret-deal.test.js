import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { names } from '../../src/rules/cards.js'
import { GAMES, game } from '../../src/rules/games.js'
import { checkDeal, commitmentOf, deckOfSecret } from '../../src/rules/secret-deal.js'

const SECRET = '00112233445566778899aabbccddeeff'.repeat(2)
const NONCES = { 10: 'bb'.repeat(16), 2: 'aa'.repeat(16) }

/** A second implementation of the recipe in GAMES.md, with Node's own hash. */
function deckByNode(/** @type {string} */ secret, /** @type {string[]} */ nonces) {
  const key = createHmac('sha256', Buffer.from(secret, 'hex'))
    .update(Buffer.from(nonces.join(''), 'hex'))
    .digest()
  /** @type {number[]} */
  const words = []
  for (let block = 0; block < 64; block += 1) {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(block))
    const bytes = createHmac('sha256', key).update(counter).digest()
    for (let at = 0; at < 32; at += 4) words.push(bytes.readUInt32BE(at))
  }
  const deck = Array.from({ length: 104 }, (_, i) => i % 52)
  for (let i = 103; i > 0; i -= 1) {
    let word = /** @type {number} */ (words.shift())
    while (word >= 2 ** 32 - (2 ** 32 % (i + 1))) word = /** @type {number} */ (words.shift())
    const j = word % (i + 1)
    ;[deck[i], deck[j]] = [deck[j], deck[i]]
  }
  return deck
}

test('a secret and the nonces give the deck of the recipe', () => {
  assert.deepEqual(deckOfSecret(SECRET, []), deckByNode(SECRET, []))
  assert.deepEqual(deckOfSecret(SECRET, ['aa'.repeat(16)]), deckByNode(SECRET, ['aa'.repeat(16)]))
})

test('a deck is two whole packs', () => {
  const deck = deckOfSecret(SECRET, []).toSorted((a, b) => a - b)
  assert.deepEqual(
    deck,
    Array.from({ length: 104 }, (_, i) => i >> 1),
  )
})

test('the commitment is the hash of the secret under its own prefix', () => {
  const expected = createHash('sha256').update('forty-thieves deal v1').update(Buffer.from(SECRET, 'hex')).digest('hex')
  assert.equal(commitmentOf(SECRET), expected)
})

test('a true deal is proved in every game, with the nonces in the order of the seats', () => {
  const deck = deckByNode(SECRET, ['aa'.repeat(16), 'bb'.repeat(16)])
  for (const row of GAMES.values()) {
    const start = Board.deal(row, deck).columns.map(names)
    const proof = checkDeal({ game: row, secret: SECRET, nonces: NONCES, commitment: commitmentOf(SECRET), start })
    assert.deepEqual(proof, { committed: true, dealt: true, ok: true, deck })
  }
})

test('another secret, another nonce or another start is found out', () => {
  const lucas = game('lucas')
  const start = Board.deal(lucas, deckByNode(SECRET, [])).columns.map(names)
  const commitment = commitmentOf(SECRET)
  const race = { game: lucas, secret: SECRET, nonces: {}, commitment, start }
  assert.equal(checkDeal(race).ok, true)
  assert.equal(checkDeal({ ...race, secret: 'ff'.repeat(32) }).committed, false)
  assert.equal(checkDeal({ ...race, nonces: NONCES }).dealt, false)
  assert.equal(checkDeal({ ...race, start: start.toReversed() }).dealt, false)
})
