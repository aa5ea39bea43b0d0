/** The analysis is the same as on the command line: shared/vectors/analysis.json has its results for logs of all games. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveText } from '../../src/rules/move-notation.js'
import { analyse, bestOf } from '../../src/solver/analysis.js'
import { search } from '../../src/solver/search.js'
import { dealt, pluck, vectors } from '../helpers.js'

/** @import { Board } from '../../src/rules/board.js' */

/** @type {{game: string, number: number, entries: string[], width: number, values: number[], points: number[]}[]} */
const VECTORS = vectors('analysis.json')

for (const key of new Set(pluck(VECTORS, 'game'))) {
  test(`${key}: the same results and searches as on the command line`, () => {
    const own = VECTORS.filter((vector) => vector.game === key)
    assert.ok(own.length > 0)
    for (const { number, entries, width, values, points } of own) {
      const boardAt = (/** @type {number} */ n) => dealt(key, number, entries.slice(0, n))
      const look = (/** @type {Board} */ board) => {
        const { home, moves } = search(board, width)
        return { home, moves: moves.map(moveText) }
      }
      const home = [0, ...entries].map((_, n) => boardAt(n).home)
      const looked = [...analyse(home, boardAt, look)].at(-1)?.looked ?? []
      assert.deepEqual(bestOf(home, looked), values)
      assert.deepEqual(pluck(looked, 'n'), points)
    }
  })
}
