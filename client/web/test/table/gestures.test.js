import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOUNDATION, STOCK, WASTE } from '../../src/rules/moves.js'
import { placesOf } from '../../src/table/card-positions.js'
import { createHand } from '../../src/table/gestures.js'
import { lift } from '../../src/table/state.js'
import { crowded, play, sequences, stateOf } from './boards.js'

/**
 * @import { Where } from '../../src/table/gestures.js'
 * @import { Options } from '../../src/table/state.js'
 */

/** A hand on a table, and its requests. */
function handOn(/** @type {Partial<Options>} */ options = {}, board = sequences()) {
  const state = stateOf(board, options)
  /** @type {string[]} */
  const asked = []
  /** @type {Where[]} */
  const refused = []
  const hand = createHand(state, {
    move: (text) => asked.push(text),
    undo: () => asked.push('undo'),
    help: () => asked.push('help'),
    refuse: ({ reason, where }) => {
      asked.push(`no: ${reason}`)
      refused.push(where)
    },
    explain: (undone) => {
      if (!undone) return
      asked.push(`instead: ${undone.reason}`)
      refused.push(undone.where)
    },
    say: () => {},
    render: () => {},
    focus: () => {},
  })
  return { state, board, hand, asked, refused }
}

test('touching a pile lifts, and touching another one places', () => {
  const { hand, asked, state } = handOn()
  hand.act(1, 1)
  hand.act(3)
  assert.deepEqual(asked, ['1-3x3'])
  assert.equal(state.lifted, null)
})

test('touching the same pile again puts the cards back', () => {
  const { hand, asked, state } = handOn()
  hand.act(1, 1)
  hand.act(1, 1)
  assert.deepEqual([asked, state.lifted], [[], null])
})

test('touching cards that cannot take the lifted ones lifts those instead, if they can go somewhere, and it is said why', () => {
  const { hand, asked, state, board, refused } = handOn()
  hand.act(6)
  const { slot, count } = state.lifted ?? { slot: -1, count: 0 }
  hand.act(7)
  assert.deepEqual([asked, state.lifted?.source], [['instead: does-not-build'], 7])
  assert.deepEqual(refused, [{ source: 6, count, pile: 7, suit: Math.floor(board.face(slot) / 13) }])
})

test('a finger that takes other cards is told what was not done only once it has left: it may drag them', () => {
  const { hand, asked } = handOn()
  hand.take(6)
  const undone = hand.take(7)
  assert.deepEqual([asked, undone?.reason], [[], 'does-not-build'])
  hand.explain(undone)
  assert.deepEqual(asked, ['instead: does-not-build'])
})

test('nobody means to put cards on the waste, so that taking one from there needs no word', () => {
  const { hand, asked, state } = handOn({}, play(sequences(), 'draw'))
  hand.act(6)
  hand.act(WASTE)
  assert.deepEqual([asked, state.lifted?.source], [[], WASTE])
})

test('touching cards that can go nowhere themselves is a wrong move of the lifted ones', () => {
  const { hand, asked, state, board, refused } = handOn({}, crowded())
  hand.act(2)
  const { slot } = state.lifted ?? { slot: -1 }
  hand.act(6)
  assert.deepEqual([asked, state.lifted], [['no: does-not-build'], null])
  assert.deepEqual(refused, [{ source: 2, count: 1, pile: 6, suit: Math.floor(board.face(slot) / 13) }])
  hand.act(6)
  assert.equal(state.lifted?.source, 6)
})

test('what cannot take the lifted cards and cannot be lifted says why, and they go back', () => {
  const { hand, asked, state, board, refused } = handOn()
  hand.act(6)
  const { slot, count } = state.lifted ?? { slot: -1, count: 0 }
  hand.act(FOUNDATION)
  assert.deepEqual([asked, state.lifted], [['no: foundation-not-ready'], null])
  assert.deepEqual(refused, [{ source: 6, count, pile: FOUNDATION, suit: Math.floor(board.face(slot) / 13) }])
})

test('touching the stock draws, whatever is in the hand', () => {
  const { hand, asked, state } = handOn()
  hand.act(1)
  hand.act(STOCK)
  assert.deepEqual([asked, state.lifted], [['draw'], null])
})

test('an empty pile has nothing to lift', () => {
  const { hand, asked } = handOn()
  hand.act(WASTE)
  hand.act(4)
  assert.deepEqual(asked, ['no: no-card', 'no: no-card'])
})

test('a table that is only looked at does nothing', () => {
  const { hand, asked } = handOn({ interactive: false })
  hand.act(1)
  hand.act(STOCK)
  for (const key of /** @type {const} */ (['draw', 'undo', 'column-1', 'column-3', 'home', 'best'])) hand.press(key)
  assert.deepEqual(asked, [])
})

test('two digits are a move', () => {
  const { hand, asked } = handOn()
  hand.press('column-1')
  hand.press('column-3')
  assert.deepEqual(asked, ['1-3x3'])
})

test('up and down take more and fewer cards of a sequence, and then walk on', () => {
  const { hand, asked, state } = handOn()
  hand.press('column-1')
  hand.press('down')
  assert.equal(state.lifted?.count, 2)
  hand.press('column-4')
  assert.deepEqual(asked, ['1-4x2'])
  hand.press('column-1')
  hand.press('up')
  assert.match(state.piles[state.focus].id, /^foundation/)
})

test('the keys home and best take what has the focus', () => {
  const { hand, asked, state } = handOn()
  state.focus = state.piles.findIndex((pile) => pile.number === 5)
  hand.press('home')
  assert.deepEqual(asked, ['no: foundation-not-ready'])
  state.focus = state.piles.findIndex((pile) => pile.number === 1)
  hand.press('best')
  assert.deepEqual(asked, ['no: foundation-not-ready', '1-3x3'])
})

test('columns that the game does not have are no keys', () => {
  const { hand, asked, state } = handOn()
  hand.press('column-13')
  assert.deepEqual([asked, state.lifted], [[], null])
})

/** Lifts cards of a column and drops them over another pile. */
function dragTo(/** @type {number} */ target, /** @type {number} */ count, aside = 0) {
  const { hand, asked, state, board } = handOn()
  lift(state, 1, count)
  const { layout } = state
  if (!layout) throw new Error('not laid out')
  const area = layout.areas[state.piles.findIndex((pile) => pile.number === target)]
  const { y } = placesOf(state)[board.column(1).at(-count) ?? 0]
  const grip = { x: 0.5, y: 0.1 }
  state.drag = { finger: { x: area.x + aside + grip.x * layout.w, y: y + grip.y * layout.h }, grip }
  hand.release()
  return { asked, state }
}

test('dragged cards go where they are let go', () => {
  assert.deepEqual(dragTo(3, 3).asked, ['1-3x3'])
  assert.deepEqual(dragTo(4, 2).asked, ['1-4x2'])
})

test('dragged cards that are let go over one column and lie partly over another go to the one that takes them', () => {
  const { asked } = dragTo(3, 3, -60)
  assert.deepEqual(asked, ['1-3x3'])
})

test('dragged cards that do not fit go back, and it is said why', () => {
  const { asked, state } = dragTo(7, 3)
  assert.deepEqual([asked, state.lifted], [['no: does-not-build'], null])
})

test('dragged cards that are let go over the stock or where they were go back without a word', () => {
  assert.deepEqual(dragTo(1, 3).asked, [])
  const { hand, asked, state } = handOn()
  lift(state, 1, 3)
  const stock = state.layout?.stock ?? assert.fail('not laid out')
  state.drag = { finger: { x: stock.x + 5, y: stock.y + 5 }, grip: { x: 0.1, y: 0.1 } }
  hand.release()
  assert.deepEqual([asked, state.lifted], [[], null])
})
