import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOvertaking } from '../../../src/model/watch/overtaking.js'

test('a racer passes another with more cards home, and may lead', () => {
  const passing = createOvertaking([3, 5, 5])
  assert.equal(passing(0, 4), null)
  assert.equal(passing(0, 5), null, 'only level')
  assert.deepEqual(passing(0, 6), { passed: [1, 2], leads: true })
  assert.equal(passing(0, 7), null, 'led already')
  assert.equal(passing(1, 6), null)
})

test('the first lead is reported, although nobody is passed', () => {
  const passing = createOvertaking([8, 8, 8])
  assert.deepEqual(passing(1, 9), { passed: [], leads: true })
  assert.equal(passing(1, 10), null)
})

test('falling back by an undo and passing again is not reported', () => {
  const passing = createOvertaking([2, 3])
  assert.deepEqual(passing(0, 4), { passed: [1], leads: true })
  assert.equal(passing(0, 3), null)
  assert.equal(passing(0, 4), null)
})

test('among many racers only a new leader is reported', () => {
  const passing = createOvertaking(Array.from({ length: 40 }, (_, i) => i))
  assert.equal(passing(3, 20), null)
  assert.equal(passing(3, 50)?.leads, true)
})
