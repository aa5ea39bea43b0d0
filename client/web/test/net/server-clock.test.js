import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from '../../src/net/server-clock.js'

test('the server read its clock halfway between sending and answer', () => {
  const clock = createClock(() => 1000)
  clock.add(900, 5050, 1000)
  assert.equal(clock.now(), 1000 + (5050 - 950))
})

test('one late packet does not move the clock', () => {
  const clock = createClock(() => 0)
  for (const late of [0, 0, 4000, 0, 0]) clock.add(0, 500 + late, 20 + late)
  assert.equal(clock.now(), 490)
})

test('the error is half of the usual round trip', () => {
  const clock = createClock(() => 0)
  assert.equal(clock.error, null)
  for (const trip of [20, 24, 30]) clock.add(0, 500, trip)
  assert.equal(clock.error, 12)
})

test('after a sleep the old offset is used until the next ping, and then only new pings', () => {
  const clock = createClock(() => 0)
  clock.add(0, 500, 0)
  clock.forget()
  assert.equal(clock.now(), 500)
  clock.add(0, 900, 0)
  assert.equal(clock.now(), 900)
})
