import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { HIDDEN } from '../../src/rules/cards.js'
import { createDealer } from '../../src/rules/dealer.js'
import { game } from '../../src/rules/games.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'

/** @type {{game: string, number: number, moves: string[]}[]} */
const WINS = JSON.parse(readFileSync(new URL('../../../../shared/vectors/wins.json', import.meta.url), 'utf8'))

test('every game can be won on cards that are dealt here', () => {
  for (const { game: key, number, moves } of WINS) {
    const dealer = createDealer(game(key), deckOfNumber(String(number)))
    for (const move of moves) dealer.play(move)
    assert.equal(dealer.board.outcome, 'won', key)
  }
})

test('a card is on the board of a player once it has been turned, and stays known', () => {
  const { board, play } = createDealer(game('number-ten'), deckOfNumber('32313'))
  const known = () => Array.from({ length: 104 }, (_, slot) => board.face(slot)).filter((card) => card !== HIDDEN).length
  assert.equal(known(), 20)
  play('draw')
  assert.equal(known(), 21)
  play('undo')
  assert.equal(known(), 21)
  assert.equal(board.movesMade, 0)
  assert.throws(() => play('1-F'))
})
