/** The fair result of a bot is the same as on the server, as in shared/vectors/fairness.json. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairnessOf, fairOf } from '../../../src/model/hint/fairness.js'
import { game } from '../../../src/rules/games.js'
import { deckOfNumber } from '../../../src/rules/numbered-deal.js'
import { search } from '../../../src/solver/search.js'
import { dealt, vectors } from '../../helpers.js'

/** @type {{game: string, number: number, log: string[], width: number, falls: [number, number, number][], fair: number}[]} */
const VECTORS = vectors('fairness.json')

for (const { game: key, number, log, width, falls, fair } of VECTORS) {
  test(`${key}: the fair result is the server’s`, () => {
    const deck = deckOfNumber(String(number))
    const boardAt = (/** @type {number} */ n) => dealt(key, number, log.slice(0, n))
    const known = falls.map(([before, from, to]) => ({ before, after: before + 1, from, to }))
    const steps = fairnessOf(game(key), deck, log, known, boardAt, (board) => search(board, width))
    let step = steps.next()
    while (!step.done) step = steps.next()
    assert.equal(fairOf(boardAt(log.length).home, step.value), fair)
  })
}
