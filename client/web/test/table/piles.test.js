import assert from 'node:assert/strict'
import { test } from 'node:test'
import { game } from '../../src/rules/games.js'
import { layoutOf } from '../../src/table/layout.js'
import { neighbour, pilesOf } from '../../src/table/state.js'

const LUCAS = game('lucas')
const names = pilesOf(LUCAS).map((pile) => pile.id)

/** @typedef {'left' | 'right' | 'up' | 'down'} Way */
/** From a pile, by arrow keys, to another one. */
const WALKS = ['column-3 right column-4', 'column-1 left column-1', 'column-13 right column-13', 'column-13 up stock']
WALKS.push('column-12 up waste', 'column-1 up foundation-C', 'stock left left foundation-D', 'stock down column-13')

test('every pile has an area, and arrows lead between columns and rows', () => {
  const { areas } = layoutOf(LUCAS, 960, 650, false)
  assert.deepEqual([areas.length, names.length], [4 + 2 + 13, 4 + 2 + 13])
  for (const walk of WALKS) {
    const [from, ...ways] = walk.split(' ')
    const to = ways.pop()
    const at = ways.reduce((at, way) => neighbour(areas, at, /** @type {Way} */ (way)), names.indexOf(from))
    assert.equal(names[at], to, walk)
  }
})

test('every pile can be reached if the stock is beside the columns', () => {
  const { areas, side } = layoutOf(game('maria'), 740, 310, false)
  assert.equal(side, true)
  const all = new Set([0])
  for (const at of all)
    for (const way of /** @type {const} */ (['left', 'right', 'up', 'down'])) all.add(neighbour(areas, at, way))
  assert.equal(all.size, areas.length)
})
