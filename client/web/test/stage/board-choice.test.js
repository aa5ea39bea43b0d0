import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOf, after, BEGINNING, chosenOf } from '../../src/stage/board-choice.js'
import { joined } from '../helpers.js'

const SEATS = [1, 2, 5]

test('at first all boards are shown, a digit shows one alone, and the same digit all', () => {
  assert.deepEqual([BEGINNING.alone, chosenOf(BEGINNING, SEATS), chosenOf(BEGINNING, [])], [false, 1, 0])
  const one = after(BEGINNING, SEATS, { do: 'choose', seat: 5 })
  assert.deepEqual([one.seat, one.alone], [5, true])
  const all = after(one, SEATS, { do: 'choose', seat: 5 })
  assert.deepEqual([all.seat, all.alone], [5, false])
})

test('steps continue at the other end', () => {
  const last = after(BEGINNING, SEATS, { do: 'step', by: -1 })
  assert.equal(last.seat, 5)
  assert.equal(after(last, SEATS, { do: 'step', by: 1 }).seat, 1)
  assert.equal(after(BEGINNING, [], { do: 'step', by: 1 }).seat, 0)
})

test('a tour shows the interesting boards in turn', () => {
  let choice = after(BEGINNING, SEATS, { do: 'tour' })
  assert.deepEqual([choice.tour, choice.alone, choice.seat], [true, true, 1])
  choice = after(choice, SEATS, { do: 'next' }, [1, 5])
  assert.equal(choice.seat, 5)
  choice = after(choice, SEATS, { do: 'next' }, [1, 5])
  assert.equal(choice.seat, 1)
})

test('a tour goes to a board with an event, else to the next one', () => {
  const choice = after(BEGINNING, SEATS, { do: 'tour' })
  assert.equal(after(choice, SEATS, { do: 'next', to: 5 }).seat, 5)
  assert.equal(after(choice, SEATS, { do: 'next', to: 1 }).seat, 2, 'it has been there')
  assert.equal(after(choice, SEATS, { do: 'next', to: 9 }).seat, 2)
})

test('a tour can show all boards, and choosing one pauses it', () => {
  assert.equal(after({ ...BEGINNING, tour: true }, SEATS, { do: 'next' }, []).seat, 2)
  const tour = after(BEGINNING, SEATS, { do: 'tour' })
  assert.equal(after(tour, SEATS, { do: 'choose', seat: 5 }).paused, true)
  assert.equal(after(tour, SEATS, { do: 'step', by: 1 }).paused, true)
})

test('a tour can be paused, continued and ended', () => {
  const tour = after(BEGINNING, SEATS, { do: 'tour' })
  const paused = after(tour, SEATS, { do: 'pause' })
  assert.equal(paused.paused, true)
  assert.equal(after(paused, SEATS, { do: 'pause' }).paused, false)
  assert.equal(after(paused, SEATS, { do: 'tour' }).tour, false)
  assert.equal(after(tour, SEATS, { do: 'all' }).tour, false)
  assert.equal(after(BEGINNING, SEATS, { do: 'pause' }).paused, false)
})

test('keys choose boards', () => {
  const act = (/** @type {string} */ key, code = key) => joined(Object.values(actOf(key, code, SEATS) ?? ['none']))
  assert.deepEqual([act('2', 'Digit2'), act('"', 'Digit3'), act('9', 'Digit9')], ['choose 2', 'choose 5', 'none'])
  assert.deepEqual([act('ArrowLeft'), act('Enter'), act('Escape'), act('0', 'Digit0')], ['step -1', 'alone', 'all', 'all'])
  assert.deepEqual([act('x', 'KeyX'), act('PageDown')], ['none', 'none'])
  assert.deepEqual(actOf('PageDown', 'PageDown', SEATS, { before: 0, after: 9 }), { do: 'mark', seat: 9 })
  assert.equal(actOf('PageUp', 'PageUp', SEATS, { before: 0, after: 9 }), null)
})
