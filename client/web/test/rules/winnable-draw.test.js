import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { names, parseCards } from '../../src/rules/cards.js'
import { game } from '../../src/rules/games.js'
import { commitmentOf } from '../../src/rules/secret-deal.js'
import { checkDraw, choiceOf, rootFrom } from '../../src/rules/winnable-draw.js'
import { vectors } from '../helpers.js'

/** @typedef {{secrets: string[], root: string, paths: string[][], choices: {nonces: string[], index: number}[]}} Draw */

/** @type {Draw[]} */
const DRAWS = vectors('draws.json')

test('the path of every secret leads to the root', () => {
  for (const { secrets, root, paths } of DRAWS) {
    for (const [index, secret] of secrets.entries()) assert.equal(rootFrom(commitmentOf(secret), index, paths[index] ?? []), root)
  }
})

test('nonces choose the deal that they choose on the server', () => {
  for (const { root, choices } of DRAWS) {
    for (const { nonces, index } of choices) assert.equal(choiceOf(root, nonces), index)
  }
})

/** @type {any[]} */
const RECORDS = vectors('records.json').records.filter((/** @type {any} */ { record }) => record.winnable)

/** A racer's data about a finished race on a winnable deal. @param {any} record */
const known = ({ game: key, deck, secret, commitment, winnable: { leaf, path }, nonces }) => ({
  ...{ game: game(key), secret, commitment, leaf, path },
  nonces: Object.fromEntries(nonces),
  start: Board.deal(game(key), parseCards(deck)).columns.map(names),
})

test('a racer can check that the numbers chose the deal among those that were promised', () => {
  for (const { record } of RECORDS) {
    const race = known(record)
    assert.equal(checkDraw(race), 'drawn')
    assert.equal(checkDraw({ ...race, start: null }), 'drawnUnseen')
    assert.equal(checkDraw({ ...race, start: ['AS'] }), 'other')
    assert.equal(checkDraw({ ...race, secret: '00'.repeat(32) }), 'unpromised')
    const chosen = Array.from({ length: 40 }, (_, n) => checkDraw({ ...race, nonces: { 1: n.toString(16).padStart(32, '0') } }))
    assert.ok(chosen.includes('unchosen'))
  }
})
