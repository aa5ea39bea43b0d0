import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNear } from '../../../src/model/tournament/kinds.js'
import { EMPTY, nameKey, seriesFragment, seriesOf, seriesTable, wrongPoints } from '../../../src/model/tournament/series.js'
import { vectors } from '../../helpers.js'

const SERIES = vectors('series.json')

test('each series of the vectors has the same table as in Python', () => {
  for (const { points, best, same, files, table } of SERIES) {
    const rows = seriesTable({ points, best, same }, files)
    assert.equal(rows.length, table.length)
    rows.forEach(({ place, name, score, cells }, i) => {
      const [statedPlace, statedName, statedScore, statedCells] = table[i]
      assert.deepEqual([place, name], [statedPlace, statedName])
      assert.ok(isNear(score, statedScore))
      cells.forEach((cell, n) => {
        const [place, points, counts] = statedCells[n] ?? []
        assert.deepEqual(cell && [cell.place, cell.counts], statedCells[n] && [place, counts])
        if (cell) assert.ok(isNear(cell.points, points))
      })
    })
  }
})

test('a link has all data of the table', () => {
  const same = ['Ann|Anna, B.', 'मीरा|Meera'].map((names) => names.split('|'))
  const series = { name: 'Winter & Söhne', codes: ['KQXWVD', 'BCDFGH'], points: [10, 6.5, 3], best: 2, same }
  assert.deepEqual(seriesOf(seriesFragment(series)), series)
  assert.deepEqual(seriesOf(''), EMPTY)
  assert.equal(seriesFragment({ ...EMPTY, codes: ['KQXWVD'] }), '#events=KQXWVD')
})

test('an invalid link is read as far as possible', () => {
  const made = '#events=KQXWVD,kqxwvd,../../x,BCDFGHX,&points=1,2&best=-3&same=Ann&same=%0A%0A&name='
  assert.deepEqual(seriesOf(`${made}${'x'.repeat(500)}`), { ...EMPTY, codes: ['KQXWVD'], name: 'x'.repeat(60) })
  assert.deepEqual(seriesOf('#points=1,NaN&best=1e9'), EMPTY)
  const many = Array.from(
    { length: 100 },
    (_, i) => `KQXW${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(65 + Math.floor(i / 26))}`,
  )
  assert.equal(seriesOf(`#events=${many}`).codes.length, 52)
})

test('points do not rise, and equal names differ only in case and spaces', () => {
  assert.equal(wrongPoints([10, 6, 6, 0.25]), null)
  assert.equal(wrongPoints([6, 10]), 'order')
  for (const points of [[], [-1], [1001], [0.001], [Number.NaN], Array(101).fill(1)]) assert.equal(wrongPoints(points), 'bad')
  assert.equal(nameKey(' ANN'), nameKey('ann '))
  assert.notEqual(nameKey('Ann'), nameKey('Anne'))
})
