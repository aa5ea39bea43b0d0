import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStopwatch } from '../../src/model/stopwatch.js'

test('a stopwatch counts on from an earlier time while it runs', () => {
  let now = 50
  const stopwatch = createStopwatch(1000, () => now)
  const after = (/** @type {number} */ ms) => {
    now += ms
    return stopwatch.read()
  }
  assert.equal(after(5), 1000)
  stopwatch.run(true)
  stopwatch.run(true)
  assert.equal(after(5), 1005)
  stopwatch.run(false)
  assert.equal(after(5), 1005)
})
