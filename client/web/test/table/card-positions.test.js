import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HIDDEN } from '../../src/rules/cards.js'
import { GAMES, game } from '../../src/rules/games.js'
import { DRAW, WASTE } from '../../src/rules/move-notation.js'
import { gripOf, litSlots, placesOf, touchedAt } from '../../src/table/card-positions.js'
import { arrange, lift, unseen } from '../../src/table/state.js'
import { sequences, stateOf } from './boards.js'

test('every card has one place, and before the race only aces on foundations are shown', () => {
  for (const row of GAMES.values()) {
    const places = placesOf(stateOf(unseen(row)))
    assert.equal(Object.keys(places).length, 104)
    assert.equal(places.filter((place) => place.face !== HIDDEN).length, row.bases_out ? 8 : 0)
  }
})

test('a seen card lies face down in the stock', () => {
  const board = sequences()
  board.play(DRAW)
  const slot = board.pile(WASTE)[0]
  board.undo()
  assert.notEqual(board.face(slot), HIDDEN)
  assert.equal(placesOf(stateOf(board))[slot].face, HIDDEN)
})

test('the last drawn cards are fanned, and the top stays in its place', () => {
  const board = unseen(game('little-forty'))
  board.play(DRAW)
  const state = stateOf(board)
  const three = board.pile(WASTE).map((slot) => placesOf(state)[slot].x)
  assert.equal(new Set(three).size, 3)
  assert.equal(three[2], state.layout?.waste.x)
  board.play(DRAW)
  const places = placesOf(state)
  const xs = board.pile(WASTE).map((slot) => places[slot].x)
  assert.equal(new Set(xs).size, 5)
  assert.deepEqual(xs, [xs[1], xs[1], xs[2], ...three])
})

test('a finger touches the card at its height, or the last one', () => {
  const board = sequences()
  const state = stateOf(board)
  const tops = board.column(1).map((slot) => placesOf(state)[slot].y)
  const counts = tops.map((y) => touchedAt(state, 1, y + 1))
  assert.deepEqual(counts, [5, 4, 3, 2, 1].slice(-tops.length))
  assert.equal(touchedAt(state, 1, 10_000), 1)
  assert.equal(touchedAt(state, WASTE, 0), 1)
})

test('lifted cards rise, and their targets are lit', () => {
  const board = sequences()
  const state = stateOf(board)
  const before = placesOf(state)
  lift(state, 1, 3)
  const after = placesOf(state)
  const run = board.column(1).slice(-3)
  for (const slot of run) assert.ok(after[slot].lifted && after[slot].y < before[slot].y)
  const lit = after.flatMap((place, slot) => (place.lit ? [slot] : []))
  assert.deepEqual(lit.sort(), [board.column(3).at(-1), board.column(5).at(-1)].sort())
  assert.deepEqual([...litSlots(state)], ['column-4'])
})

test('dragged cards lie above all others', () => {
  const board = sequences()
  const state = stateOf(board)
  lift(state, 1, 3)
  state.drag = { finger: { x: 300, y: 400 }, grip: { x: 0.5, y: 0.5 } }
  const places = placesOf(state)
  const run = new Set(board.column(1).slice(-3))
  const highest = Math.max(...places.filter((_, slot) => !run.has(slot)).map((place) => place.z))
  for (const slot of run) assert.ok(places[slot].z > highest)
})

test('dragged cards stay at the finger when the table changes its size or side', () => {
  const board = sequences()
  const state = stateOf(board)
  const inHand = board.column(1).slice(-3)
  const start = placesOf(state)[inHand[0]]
  const grip = gripOf(state, 1, 3, { x: start.x + 20, y: start.y + 12 })
  lift(state, 1, 3)
  state.drag = { finger: { x: 300, y: 400 }, grip }
  for (const size of ['960x650', '960x500 mirror', '340x560 mirror', '740x340']) {
    const [width = 0, height = 0] = (size.match(/\d+/g) ?? []).map(Number)
    state.size = { width, height }
    state.options.mirror = size.includes('mirror')
    arrange(state)
    const { layout } = state
    if (!layout) throw new Error('not laid out')
    const places = placesOf(state)
    const [first, ...others] = inHand.map((slot) => places[slot])
    const close = (/** @type {number} */ is, /** @type {number} */ should) =>
      assert.ok(Math.abs(is - should) <= 0.5, `${is} is not ${should}`)
    close(first.x + grip.x * layout.w, 300)
    close(first.y + grip.y * layout.h, 400)
    for (const place of others) assert.equal(place.x, first.x)
    assert.ok(others.every((place) => place.lifted && place.y > first.y))
  }
})
