import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bergerTable, countOf, roundsIn, sizesOf } from '../../../src/model/tournament/groups.js'

test('a group races by the tables of FIDE', () => {
  const six = [1, 2, 3, 4, 5].map((number) =>
    bergerTable(6, number)
      .map((pair) => pair.join('-'))
      .join(' '),
  )
  assert.deepEqual(six, ['1-6 2-5 3-4', '4-6 3-5 1-2', '2-6 1-3 4-5', '5-6 1-4 2-3', '3-6 2-4 1-5'])
  assert.deepEqual(bergerTable(5, 1)[0], [1, null])
  assert.deepEqual([...bergerTable(4, 0), ...bergerTable(4, 4), ...bergerTable(1, 1)], [])
})

test('all pairs meet once, and groups have the sizes of a snake', () => {
  for (let size = 2; size < 24; size += 1) {
    const all = Array.from({ length: roundsIn(size) }, (_, n) => bergerTable(size, n + 1)).flat()
    assert.equal(new Set(all.map(String)).size, all.length)
    assert.equal(all.filter(([, other]) => other !== null).length, (size * (size - 1)) / 2)
    assert.equal(all.filter(([, other]) => other === null).length, size % 2 ? size : 0)
  }
  assert.deepEqual(sizesOf(10, 4), [3, 3, 2, 2])
  assert.deepEqual(sizesOf(7, 4), [1, 2, 2, 2])
  assert.deepEqual([countOf(16, 4, 2), countOf(11, 4, 2), countOf(2, 4, 2), countOf(9, 4, 1)], [4, 3, 1, 4])
})
