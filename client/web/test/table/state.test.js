import assert from 'node:assert/strict'
import { test } from 'node:test'
import { game } from '../../src/rules/games.js'
import { DRAW, FOUNDATION, moveText, REDEAL, STOCK, WASTE } from '../../src/rules/moves.js'
import * as state from '../../src/table/state.js'
import { boardOf, play, sequences, stateOf } from './boards.js'

/** @param {state.State} on @param {number} target */
const text = (on, target) => {
  const move = state.moveTo(on, target)
  return move && moveText(move)
}

test('as many cards are lifted as were asked for, at most the whole sequence', () => {
  const on = stateOf(sequences())
  state.lift(on, 1, 2)
  assert.equal(on.lifted?.count, 2)
  state.lift(on, 1)
  assert.equal(on.lifted?.count, 3)
})

test('a column with cards takes the number that fits, however many are in the hand', () => {
  const on = stateOf(sequences())
  state.lift(on, 1, 1)
  assert.equal(text(on, 3), '1-3x3')
  assert.equal(text(on, 5), '1-5')
})

test('an empty column takes exactly what is in the hand', () => {
  const on = stateOf(sequences())
  state.lift(on, 1, 2)
  assert.equal(text(on, 4), '1-4x2')
})

test('dragged cards move as they are, or not at all', () => {
  const on = stateOf(sequences())
  state.lift(on, 1, 1)
  on.drag = { finger: { x: 40, y: 0 }, grip: { x: 0.5, y: 0.5 } }
  assert.equal(text(on, 3), null)
  assert.equal(text(on, 5), '1-5')
  assert.deepEqual(state.targetsOf(on), [4, 5])
})

test('the targets are what can be placed on', () => {
  const on = stateOf(sequences())
  state.lift(on, 1, 3)
  assert.deepEqual(state.targetsOf(on), [3, 4, 5])
  state.drop(on)
  assert.deepEqual(state.targetsOf(on), [])
})

test('the cards stay in the hand while they lie where they were', () => {
  const board = sequences()
  const on = stateOf(board)
  state.lift(on, 1, 2)
  state.setBoard(on, play(board.copy(), 'draw'))
  assert.equal(on.lifted?.count, 2)
  state.setBoard(on, play(board.copy(), '1-5'))
  assert.equal(on.lifted, null)
})

test('nothing can be lifted on a table that is only looked at', () => {
  const board = sequences()
  assert.equal(state.canLift(stateOf(board), 1), true)
  assert.equal(state.canLift(stateOf(board, { interactive: false }), 1), false)
  assert.equal(state.canLift(stateOf(board), WASTE), false)
  assert.equal(state.canLift(stateOf(board), STOCK), false)
})

test('the foundation that a card would go to is known', () => {
  const board = play(
    boardOf('forty-thieves', [
      '2S3CTS9H',
      '5C6C7CAS',
      '8C9C2HAS',
      'ACADAHQS',
      '3H4H5H9D',
      '6H7H8HKC',
      '2D3D4DKD',
      '6D7D8DKH',
      'TDJDQDKS',
      '3S4S5S2S',
    ]),
    '2-F',
  )
  const on = stateOf(board)
  state.lift(on, 10)
  assert.equal(state.homeOf(on), 2)
  state.lift(on, 3)
  assert.equal(state.homeOf(on), 3)
  state.lift(on, 1)
  assert.equal(state.homeOf(on), -1)
})

test('touching the stock draws, redeals when it is empty, and says why it cannot', () => {
  const board = boardOf('little-forty', [
    '2S3CTS9H',
    '5C6C7CAS',
    '8C9C2HAS',
    'ACADAHQS',
    '3H4H5H9D',
    '6H7H8HKC',
    '2D3D4DKD',
    '6D7D8DKH',
    'TDJDQDKS',
    '3S4S5S2S',
  ])
  assert.equal(state.turnOf(stateOf(board)), DRAW)
  for (let i = 0; i < 22; i += 1) board.play(DRAW)
  assert.equal(state.turnOf(stateOf(board)), REDEAL)
  board.redealsLeft = 0
  assert.equal(state.turnOf(stateOf(board)), 'no-redeal')
})

test('undo obeys the rule of the race', () => {
  const board = sequences()
  assert.equal(state.whyNoUndo(stateOf(board, { undo: 'none' })), 'undo-off')
  assert.equal(state.whyNoUndo(stateOf(board, { undo: 'turned' })), null)
  play(board, 'draw')
  assert.equal(state.whyNoUndo(stateOf(board, { undo: 'turned' })), 'undo-turned')
  assert.equal(state.whyNoUndo(stateOf(board, { undo: 'free' })), null)
  assert.equal(state.whyNoUndo(stateOf(state.unseen(game('maria')), { undo: 'free' })), 'nothing-to-undo')
})

test('a refused target has a reason', () => {
  const on = stateOf(sequences())
  state.lift(on, 6)
  assert.equal(state.whyNotTo(on, 7), 'does-not-build')
  assert.equal(state.whyNotTo(on, FOUNDATION), 'foundation-not-ready')
})
