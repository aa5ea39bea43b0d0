/** The fair result of a bot is the same as on the server, as in shared/vectors/fairness.json. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fairnessOf, fairOf } from '../../../src/model/hint/fairness.js'
import { Board } from '../../../src/rules/board.js'
import { game } from '../../../src/rules/games.js'
import { parseMove } from '../../../src/rules/moves.js'
import { deckOfNumber } from '../../../src/rules/numbered-deal.js'
import { search } from '../../../src/solver/search.js'

/** @type {{game: string, number: number, log: string[], width: number, falls: [number, number, number][], fair: number}[]} */
const VECTORS = JSON.parse(readFileSync(new URL('../../../../../shared/vectors/fairness.json', import.meta.url), 'utf8'))

for (const { game: key, number, log, width, falls, fair } of VECTORS) {
  test(`${key}: what a bot could have brought home is what the server says`, () => {
    const deck = deckOfNumber(String(number))
    const boardAt = (/** @type {number} */ n) => {
      const board = Board.deal(game(key), deck)
      for (const text of log.slice(0, n)) {
        if (text === 'undo') board.undo()
        else board.play(parseMove(text))
      }
      return board
    }
    const known = falls.map(([before, from, to]) => ({ before, after: before + 1, from, to }))
    const steps = fairnessOf(game(key), deck, log, known, boardAt, (board) => search(board, width))
    let step = steps.next()
    while (!step.done) step = steps.next()
    assert.equal(fairOf(boardAt(log.length).home, step.value), fair)
  })
}
