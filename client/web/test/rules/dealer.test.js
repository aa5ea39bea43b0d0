import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HIDDEN } from '../../src/rules/cards.js'
import { createDealer } from '../../src/rules/dealer.js'
import { game } from '../../src/rules/games.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'

test('the player’s board knows a card after its reveal, also after an undo', () => {
  const { board, play } = createDealer(game('number-ten'), deckOfNumber('32313'))
  const known = () => Array.from({ length: 104 }, (_, slot) => board.face(slot)).filter((card) => card !== HIDDEN).length
  assert.equal(known(), 20)
  play('draw')
  assert.equal(known(), 21)
  play('undo')
  assert.deepEqual([known(), board.movesMade], [21, 0])
  assert.throws(() => play('1-F'))
})
