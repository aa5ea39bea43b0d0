import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costsOf, lastWin, partedAt, pointsOfBest, pointsOfHome, rowsOfBest } from '../../../src/model/replay/best-possible.js'
import { joined } from '../../helpers.js'

/** Ten entries, of which the fourth and the eighth cost much. */
const HOME = [0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 5]
const looked = (/** @type {[number, number][]} */ ...all) => all.map(([n, home]) => ({ n, home, moves: [] }))
const WHOLE = looked([3, 104], [4, 42], [7, 42], [8, 22], [10, 22])

test('the analysis has the last possible win, and the most costly moves', () => {
  assert.equal(lastWin(HOME, WHOLE), 3)
  assert.equal(lastWin(HOME, looked([0, 50], [10, 5])), null)
  assert.equal(lastWin([0, 104], []), 1)
  assert.equal(joined(costsOf(HOME, WHOLE).map(Object.values)), '3,4,104,42 7,8,42,22')
  assert.equal(costsOf(HOME, looked([0, 100], [1, 80], [2, 60], [3, 50], [4, 45])).length, 3)
})

test('the curve falls in steps, and the table has the same numbers', () => {
  assert.equal(joined(pointsOfBest(HOME, WHOLE)), '0,104 4,42 8,22 10,22')
  assert.deepEqual(pointsOfBest(HOME, looked([8, 22], [10, 22]))[0], [8, 22])
  assert.equal(joined(pointsOfHome([0, 0, 1])), '0,0 2,1 2,1')
  const rows = rowsOfBest(HOME, WHOLE).map(({ n, best, home }) => [n, best, home])
  assert.equal(joined(rows), '0,104,0 3,104,2 4,42,2 7,42,4 8,22,5 10,22,5')
})

test('two racers part at their first different move', () => {
  const line = (/** @type {string} */ texts) => /** @type {any} */ ({ texts: texts.split(' '), length: texts.split(' ').length })
  assert.equal(partedAt(line('draw 1-2 draw'), line('draw 1-3 draw')), 1)
  assert.equal(partedAt(line('draw 1-2'), line('draw 1-2 draw')), 2)
  assert.equal(partedAt(line('draw 1-2 draw'), line('draw')), 1)
  assert.equal(partedAt(line('draw 1-2'), line('draw 1-2')), null)
})
