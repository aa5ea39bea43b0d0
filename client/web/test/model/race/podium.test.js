import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsOf } from '../../../src/model/race/podium.js'

/** @param {(number | null)[]} places */
const steps = (...places) => stepsOf(places.map((place) => ({ place }))).map((rows) => rows.map(({ place }) => place))

test('each of the first three has a step, more share the steps of their places', () => {
  assert.deepEqual(steps(1, 2, 3, 4, null), [[1], [2], [3]])
  assert.deepEqual(steps(1, 1, 3, 4), [[1], [1], [3]])
  assert.deepEqual(steps(2, 3), [[2], [3]])
  assert.deepEqual(steps(1, 2, 2, 2, 2, 6), [[1], [2, 2, 2, 2]])
  assert.deepEqual(steps(1, 1, 1, 1, 5), [[1, 1, 1, 1]])
  assert.deepEqual(steps(1, 2, 3, 3, 3), [[1], [2], [3, 3, 3]])
})

test('racers without a place have no step', () => assert.deepEqual(steps(null, null), []))
