import assert from 'node:assert/strict'
import { test } from 'node:test'
import { game } from '../../src/rules/games.js'
import { DRAW, FOUNDATION, moveText, REDEAL, STOCK, WASTE } from '../../src/rules/move-notation.js'
import * as state from '../../src/table/state.js'
import { boardOf, play, sequences, stateOf, TWOS } from './boards.js'

/** The move of the lifted cards to a pile. @param {state.State} on @param {number} target */
const text = (on, target) => {
  const move = state.moveTo(on, target)
  return move && moveText(move)
}

/** The table with some lifted cards of column 1. @param {number} [count] */
function lifted(count) {
  const on = stateOf(sequences())
  state.lift(on, 1, count)
  return on
}

test('a column takes what fits of the lifted cards, an empty one exactly them', () => {
  assert.deepEqual([lifted(2).lifted?.count, lifted().lifted?.count], [2, 3])
  assert.deepEqual([text(lifted(1), 3), text(lifted(1), 5), text(lifted(2), 4)], ['1-3x3', '1-5', '1-4x2'])
})

test('dragged cards move together or not at all', () => {
  const on = lifted(1)
  on.drag = { finger: { x: 40, y: 0 }, grip: { x: 0.5, y: 0.5 } }
  assert.deepEqual([text(on, 3), text(on, 5), state.targetsOf(on)], [null, '1-5', [4, 5]])
})

test('the targets are the piles that take the cards', () => {
  const on = lifted(3)
  assert.deepEqual(state.targetsOf(on), [3, 4, 5])
  state.drop(on)
  assert.deepEqual(state.targetsOf(on), [])
})

test('lifted cards stay lifted while they are in their place', () => {
  const board = sequences()
  const on = stateOf(board)
  state.lift(on, 1, 2)
  state.setBoard(on, play(board.copy(), 'draw'))
  assert.equal(on.lifted?.count, 2)
  state.setBoard(on, play(board.copy(), '1-5'))
  assert.equal(on.lifted, null)
})

test('nothing can be lifted on a table for spectators', () => {
  const board = sequences()
  assert.equal(state.canLift(stateOf(board), 1), true)
  assert.equal(state.canLift(stateOf(board, { interactive: false }), 1), false)
  assert.equal(state.canLift(stateOf(board), WASTE), false)
  assert.equal(state.canLift(stateOf(board), STOCK), false)
})

test('the table knows the foundation of a lifted card', () => {
  const board = play(boardOf('forty-thieves', TWOS), '2-F')
  const homeOf = (/** @type {number} */ column) => {
    const on = stateOf(board)
    state.lift(on, column)
    return state.homeOf(on)
  }
  assert.deepEqual([10, 3, 1].map(homeOf), [2, 3, -1])
})

test('touching the stock draws, redeals, or gives the reason', () => {
  const board = boardOf('little-forty', TWOS)
  assert.equal(state.turnOf(stateOf(board)), DRAW)
  for (let i = 0; i < 22; i += 1) board.play(DRAW)
  assert.equal(state.turnOf(stateOf(board)), REDEAL)
  board.redealsLeft = 0
  assert.equal(state.turnOf(stateOf(board)), 'no-redeal')
})

test('undo obeys the rule of the race, and a refused target has a reason', () => {
  const board = sequences()
  assert.equal(state.whyNoUndo(stateOf(board, { undo: 'none' })), 'undo-off')
  assert.equal(state.whyNoUndo(stateOf(board, { undo: 'turned' })), null)
  play(board, 'draw')
  assert.equal(state.whyNoUndo(stateOf(board, { undo: 'turned' })), 'undo-turned')
  assert.equal(state.whyNoUndo(stateOf(board, { undo: 'free' })), null)
  assert.equal(state.whyNoUndo(stateOf(state.unseen(game('maria')), { undo: 'free' })), 'nothing-to-undo')
  const on = stateOf(sequences())
  state.lift(on, 6)
  assert.equal(state.whyNotTo(on, 7), 'does-not-build')
  assert.equal(state.whyNotTo(on, FOUNDATION), 'foundation-not-ready')
})
