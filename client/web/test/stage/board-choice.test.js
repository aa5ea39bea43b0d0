import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOf, after, BEGINNING, chosenOf } from '../../src/stage/board-choice.js'
import { joined } from '../helpers.js'

const SEATS = [1, 2, 5]

test('at first all boards are shown, and the first one is marked', () => {
  assert.deepEqual([BEGINNING.alone, chosenOf(BEGINNING, SEATS), chosenOf(BEGINNING, [])], [false, 1, 0])
})

/** The board after some acts, and whether it is alone, and a tour. @param {string} acts @param {number[]} [seats] @param {number[]} [worth] */
function boardAfter(acts, seats = SEATS, worth = seats) {
  let choice = BEGINNING
  for (const [act, text] of acts.split(', ').map((one) => one.split(' '))) {
    const number = Number(text)
    choice = after(choice, seats, /** @type {any} */ ({ do: act, seat: number, by: number, to: number }), worth)
  }
  const { seat, alone, tour, paused } = choice
  return joined([seat, ...(alone ? ['alone'] : []), ...(tour ? ['tour'] : []), ...(paused ? ['paused'] : [])])
}

for (const [acts, board] of [
  ['choose 5', '5 alone'],
  ['choose 5, choose 5', '5'],
  ['step -1', '5'],
  ['step -1, step 1', '1'],
  ['tour, next 5', '5 alone tour'],
  ['tour, next 1', '2 alone tour'],
  ['tour, next 9', '2 alone tour'],
  ['tour, choose 5', '5 alone tour paused'],
  ['tour, step 1', '2 alone tour paused'],
  ['tour, pause', '1 alone tour paused'],
  ['tour, pause, pause', '1 alone tour'],
  ['tour, pause, tour', '1 alone'],
  ['tour, all', '1'],
  ['pause', '0'],
])
  test(`after "${acts}" the page shows ${board}`, () => assert.equal(boardAfter(acts), board))

test('the board of the leader is shown until another one is chosen, and again on request', () => {
  const act = (/** @type {any[]} */ ...acts) => acts.reduce((choice, one) => after(choice, SEATS, one), BEGINNING)
  for (const one of ['alone', 'all', 'pause']) assert.ok(act({ do: one }).follows, one)
  for (const one of [{ do: 'choose', seat: 2 }, { do: 'mark', seat: 2 }, { do: 'step', by: 1 }, { do: 'tour' }]) {
    assert.ok(!act(one).follows, one.do)
    assert.ok(act(one, { do: 'follow' }).follows, one.do)
  }
  assert.equal(act({ do: 'tour' }, { do: 'follow' }).tour, false)
})

test('a tour shows the interesting boards in turn, or all', () => {
  const tours = ['tour', 'tour, next', 'tour, next, next']
  assert.equal(joined(tours.map((acts) => boardAfter(acts, SEATS, [1, 5])[0])), '1 5 1')
  assert.equal(boardAfter('tour, next', SEATS, []), '2 alone tour')
  assert.equal(boardAfter('step 1', []), '0')
})

test('keys choose boards', () => {
  const act = (/** @type {string} */ key, code = key) => joined(Object.values(actOf({ key, code }, SEATS) ?? ['none']))
  assert.deepEqual([act('2', 'Digit2'), act('"', 'Digit3'), act('9', 'Digit9')], ['choose 2', 'choose 5', 'none'])
  assert.deepEqual([act('ArrowLeft'), act('Enter'), act('Escape'), act('0', 'Digit0')], ['step -1', 'alone', 'all', 'all'])
  assert.deepEqual([act('x', 'KeyX'), act('PageDown'), act('г', 'KeyG')], ['none', 'none', 'all'])
  assert.deepEqual(actOf({ key: 'PageDown', code: 'PageDown' }, SEATS, { before: 0, after: 9 }), { do: 'mark', seat: 9 })
  assert.equal(actOf({ key: 'PageUp', code: 'PageUp' }, SEATS, { before: 0, after: 9 }), null)
})
