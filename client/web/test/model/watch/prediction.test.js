import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayPredict, predictionText } from '../../../src/model/watch/prediction.js'

const lanes = /** @type {any} */ ([
  { seat: 1, name: 'Ann', home: 34, place: 1 },
  { seat: 2, name: 'Bob', home: 8, place: 2 },
])

test('spectators predict before a third of the time or of the cards, in a race of friends', () => {
  const may = (/** @type {any} */ change = {}, now = 399_999, racing = lanes) =>
    mayPredict(
      /** @type {any} */ ({ race: { starts_at: 0, ...change.race }, settings: { time_limit: 1200 }, ...change.room }),
      racing,
      now,
    )
  assert.ok(may())
  assert.ok(may({}, -3000), 'in the countdown')
  assert.ok(!may({}, 400_000))
  assert.ok(!may({}, 0, [{ ...lanes[0], home: 35 }, lanes[1]]))
  assert.ok(!may({}, 0, [lanes[0]]) && !may({}, 0, Array(9).fill(lanes[0])))
  assert.ok(!may({ race: { starts_at: null } }) && !may({ race: { over_at: 9 } }))
  assert.ok(!may({ room: { tournament: {} } }) && !may({ room: { arena: 'KQXWVD' } }))
})

test('the end tells how many were right', () => {
  const text = (/** @type {object | undefined} */ predicted, racers = lanes) =>
    predictionText(/** @type {any} */ ({ race: { predicted } }), racers)
  assert.equal(text({ 1: 7, 2: 2 }), '7 of 9 spectators said Ann.')
  assert.equal(text({ 2: 3 }), '0 of 3 spectators said Ann.')
  assert.equal(text({ 1: 1 }), 'The spectator said Ann.')
  assert.equal(text({ 2: 1 }), 'The spectator did not say Ann.')
  assert.equal(text({ 1: 1, 2: 1 }, [lanes[0], { ...lanes[1], place: 1 }]), '2 of 2 spectators said Ann and Bob.')
  assert.equal(text(undefined), '')
  assert.equal(text({ 1: 2 }, [{ ...lanes[0], place: null }]), '')
})
