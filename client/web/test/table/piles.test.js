import assert from 'node:assert/strict'
import { test } from 'node:test'
import { game } from '../../src/rules/games.js'
import { layoutOf } from '../../src/table/layout.js'
import { neighbour, pilesOf } from '../../src/table/state.js'

const LUCAS = game('lucas')
const names = pilesOf(LUCAS).map((pile) => pile.id)

/** Follows arrow keys from one pile. */
function walk(
  /** @type {number} */ width,
  /** @type {number} */ height,
  /** @type {string} */ from,
  /** @type {...('left' | 'right' | 'up' | 'down')} */ ...way
) {
  const { areas } = layoutOf(LUCAS, width, height, false)
  return names[way.reduce((at, direction) => neighbour(areas, at, direction), names.indexOf(from))]
}

test('every pile has an area, and arrows lead between columns and rows', () => {
  assert.equal(layoutOf(LUCAS, 960, 650, false).areas.length, names.length)
  assert.equal(names.length, 4 + 2 + 13)
  assert.equal(walk(960, 650, 'column-3', 'right'), 'column-4')
  assert.equal(walk(960, 650, 'column-1', 'left'), 'column-1')
  assert.equal(walk(960, 650, 'column-13', 'right'), 'column-13')
  assert.equal(walk(960, 650, 'column-13', 'up'), 'stock')
  assert.equal(walk(960, 650, 'column-12', 'up'), 'waste')
  assert.equal(walk(960, 650, 'column-1', 'up'), 'foundation-C')
  assert.equal(walk(960, 650, 'stock', 'left', 'left'), 'foundation-D')
  assert.equal(walk(960, 650, 'stock', 'down'), 'column-13')
})

test('every pile can be reached if the stock is beside the columns', () => {
  const { areas, side } = layoutOf(game('maria'), 740, 310, false)
  assert.equal(side, true)
  const all = new Set([0])
  for (const at of all)
    for (const way of /** @type {const} */ (['left', 'right', 'up', 'down'])) all.add(neighbour(areas, at, way))
  assert.equal(all.size, areas.length)
})
