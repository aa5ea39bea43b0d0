import assert from 'node:assert/strict'
import { test } from 'node:test'
import { game } from '../../src/rules/games.js'
import { DRAW, FOUNDATION, STOCK, WASTE } from '../../src/rules/move-notation.js'
import { placesOf } from '../../src/table/card-positions.js'
import { createHand } from '../../src/table/gestures.js'
import { lift, setBoard, unseen } from '../../src/table/state.js'
import { joined } from '../helpers.js'
import { crowded, play, sequences, stateOf } from './boards.js'

/** @import { Where } from '../../src/table/gestures.js' */
/** @import { Options } from '../../src/table/state.js' */

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

/** The place of a refused move of column 6. @param {ReturnType<typeof handOn>} it @param {number} pile @param {number} source */
const placeOf = ({ state, board }, pile, source) => {
  const { slot, count } = state.lifted ?? assert.fail()
  return { source, count, pile, suit: Math.floor(board.face(slot) / 13) }
}

/** Touches some cards of column 1 (`1x2`) or other piles, and presses keys. @param {string} actions @param {ReturnType<typeof handOn>} it */
function after(actions, it = handOn()) {
  for (const one of actions.split(' ')) {
    const [pile, count] = one.replace('S', String(STOCK)).replace('W', String(WASTE)).split('x')
    if (one.startsWith('column')) it.hand.press(/** @type {any} */ (one))
    else it.hand.act(Number(pile), count ? Number(count) : undefined)
  }
  return joined([...it.asked, ...(it.state.lifted ? ['lifted'] : [])], ', ')
}

for (const [title, actions, result] of [
  ['touching a pile lifts cards', '1x1', 'lifted'],
  ['touching another one places them', '1x1 3', '1-3x3'],
  ['touching the same pile twice puts the cards back', '1x1 1x1', ''],
  ['touching the stock draws, also with lifted cards', '1 S', 'draw'],
  ['an empty pile has nothing to lift', 'W 4', 'no: no-card, no: no-card'],
  ['two keys of columns are a move, and a missing column is none', 'column-1 column-3 column-13', '1-3x3'],
])
  test(title, () => assert.equal(after(actions), result))

test('touching cards that refuse the lifted ones lifts those, and gives the reason', () => {
  const it = handOn()
  it.hand.act(6)
  const where = placeOf(it, 7, 6)
  it.hand.act(7)
  assert.deepEqual([it.asked, it.state.lifted?.source, it.refused], [['instead: does-not-build'], 7, [where]])
})

test('the reason waits until the finger leaves, because it may drag the cards', () => {
  const { hand, asked } = handOn()
  hand.take(6)
  const undone = hand.take(7)
  assert.deepEqual([asked, undone?.reason], [[], 'does-not-build'])
  hand.explain(undone)
  assert.deepEqual(asked, ['instead: does-not-build'])
})

test('a second tap on the stock in a moment is no second draw, and a key is one', () => {
  const { hand, asked } = handOn()
  for (const at of [1000, 1100, 1349, 1351, 1500]) hand.act(STOCK, 0, at)
  assert.deepEqual(asked, ['draw', 'draw'])
  hand.press('draw')
  hand.press('draw')
  assert.equal(asked.length, 4)
})

test('nobody draws past a card that the server has not shown yet', () => {
  const board = unseen(game('number-ten'))
  const { hand, asked, state } = handOn({}, board)
  hand.press('draw')
  board.play(DRAW)
  for (const at of [500, 1000]) hand.act(STOCK, 0, at)
  hand.press('draw')
  assert.deepEqual(asked, ['draw', ...Array(3).fill('no: still-drawing')])
  setBoard(state, play(sequences(), 'draw'))
  hand.press('draw')
  assert.equal(asked.at(-1), 'draw')
})

test('the whole waste can be looked at until the next action', () => {
  const { hand, state } = handOn({}, play(sequences(), 'draw', 'draw', 'draw'))
  const places = () => state.board?.pile(WASTE).map((slot) => placesOf(state)[slot]) ?? []
  const fan = places()
  hand.press('spread')
  const wide = places()
  assert.ok(wide[2].x - wide[0].x > fan[2].x - fan[0].x && wide.every(({ shown }) => shown))
  hand.press('drop')
  assert.deepEqual(places(), fan)
  hand.press('spread')
  hand.press('column-1')
  assert.equal(state.spread, false)
})

test('taking a card of the waste needs no reason', () => {
  const { hand, asked, state } = handOn({}, play(sequences(), 'draw'))
  hand.act(6)
  hand.act(WASTE)
  assert.deepEqual([asked, state.lifted?.source], [[], WASTE])
})

test('touching cards without a move is a wrong move of the lifted ones', () => {
  const it = handOn({}, crowded())
  it.hand.act(2)
  const where = placeOf(it, 6, 2)
  it.hand.act(6)
  assert.deepEqual([it.asked, it.state.lifted, it.refused], [['no: does-not-build'], null, [where]])
  it.hand.act(6)
  assert.equal(it.state.lifted?.source, 6)
})

test('a pile that refuses the lifted cards gives the reason, and they go back', () => {
  const it = handOn()
  it.hand.act(6)
  const where = placeOf(it, FOUNDATION, 6)
  it.hand.act(FOUNDATION)
  assert.deepEqual([it.asked, it.state.lifted, it.refused], [['no: foundation-not-ready'], null, [where]])
})

test('a table for spectators does nothing', () => {
  const { hand, asked } = handOn({ interactive: false })
  hand.act(1)
  hand.act(STOCK)
  for (const key of /** @type {const} */ (['draw', 'undo', 'column-1', 'column-3', 'home', 'best'])) hand.press(key)
  assert.deepEqual(asked, [])
})

test('up and down change the number of lifted cards, or the focus', () => {
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

test('the keys home and best move the cards with the focus', () => {
  const { hand, asked, state } = handOn()
  for (const [number, key] of /** @type {const} */ ([
    [5, 'home'],
    [1, 'best'],
  ])) {
    state.focus = state.piles.findIndex((pile) => pile.number === number)
    hand.press(key)
  }
  assert.deepEqual(asked, ['no: foundation-not-ready', '1-3x3'])
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

test('dragged cards go to the pile below them that takes them', () => {
  assert.deepEqual(dragTo(3, 3).asked, ['1-3x3'])
  assert.deepEqual(dragTo(4, 2).asked, ['1-4x2'])
  const { asked } = dragTo(3, 3, -60)
  assert.deepEqual(asked, ['1-3x3'])
})

test('dragged cards that do not fit go back with the reason', () => {
  const { asked, state } = dragTo(7, 3)
  assert.deepEqual([asked, state.lifted], [['no: does-not-build'], null])
})

test('dragged cards go back from the stock or their own pile without a reason', () => {
  assert.deepEqual(dragTo(1, 3).asked, [])
  const { hand, asked, state } = handOn()
  lift(state, 1, 3)
  const stock = state.layout?.stock ?? assert.fail('not laid out')
  state.drag = { finger: { x: stock.x + 5, y: stock.y + 5 }, grip: { x: 0.1, y: 0.1 } }
  hand.release()
  assert.deepEqual([asked, state.lifted], [[], null])
})
