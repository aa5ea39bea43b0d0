/** The analysis is the same as on the command line: shared/vectors/analysis.json has its results for logs of all games. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { GAMES, game } from '../../src/rules/games.js'
import { moveText, parseMove } from '../../src/rules/moves.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'
import { analyse, bestOf } from '../../src/solver/analysis.js'
import { search } from '../../src/solver/search.js'

/** @type {{game: string, number: number, entries: string[], width: number, values: number[], points: number[]}[]} */
const VECTORS = JSON.parse(readFileSync(new URL('../../../../shared/vectors/analysis.json', import.meta.url), 'utf8'))

for (const key of GAMES.keys()) {
  test(`${key}: the same was possible as the command line says, by searches from the same points`, () => {
    const own = VECTORS.filter((vector) => vector.game === key)
    assert.ok(own.length > 0)
    for (const { number, entries, width, values, points } of own) {
      const deck = deckOfNumber(String(number))
      const boardAt = (/** @type {number} */ n) => {
        const board = Board.deal(game(key), deck)
        for (const text of entries.slice(0, n)) {
          if (text === 'undo') board.undo()
          else board.play(parseMove(text))
        }
        return board
      }
      const look = (/** @type {Board} */ board) => {
        const { home, moves } = search(board, width)
        return { home, moves: moves.map(moveText) }
      }
      const home = [0, ...entries].map((_, n) => boardAt(n).home)
      const looked = [...analyse(home, boardAt, look)].at(-1)?.looked ?? []
      assert.deepEqual(bestOf(home, looked), values)
      assert.deepEqual(
        looked.map(({ n }) => n),
        points,
      )
    }
  })
}
