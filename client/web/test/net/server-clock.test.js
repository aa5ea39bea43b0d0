import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from '../../src/net/server-clock.js'

test('the server read its clock halfway between sending and answer', () => {
  const clock = createClock(() => 1000)
  clock.add(900, 5050, 1000)
  assert.equal(clock.now(), 1000 + (5050 - 950))
})

test('one late packet does not move the clock, and the error is half a round trip', () => {
  const clock = createClock(() => 0)
  assert.equal(clock.error, null)
  for (const late of [0, 4, 4000, 10, 0]) clock.add(0, 500 + late / 2, 20 + late)
  assert.deepEqual([clock.now(), clock.error], [490, 12])
})

test('after a sleep the old offset counts until the next ping', () => {
  const clock = createClock(() => 0)
  clock.add(0, 500, 0)
  clock.forget()
  assert.equal(clock.now(), 500)
  clock.add(0, 900, 0)
  assert.equal(clock.now(), 900)
})

test('a sleep in which the own clock stands still moves the estimate, and a smaller correction does not', () => {
  let [running, wall, sleeps] = [0, 7000, 0]
  const clock = createClock(
    () => running,
    () => wall,
  )
  clock.onSlept = () => {
    sleeps += 1
  }
  clock.add(0, 500, 0)
  wall += 25_000
  assert.deepEqual([clock.now(), clock.error, sleeps], [25_500, null, 1])
  for (const step of [200, -3000, 100]) {
    wall += step
    running += 50
    clock.now()
  }
  assert.deepEqual([clock.now(), sleeps], [25_650, 1])
})

test('it follows a clock that was set, but not a late packet', () => {
  const clock = createClock(() => 1000)
  for (let k = 0; k < 5; k++) clock.add(900, 5000, 1000)
  const before = clock.now()
  clock.reached(before + 200)
  assert.equal(clock.now(), before)
  clock.reached(before + 3_600_000)
  assert.equal(clock.now(), before + 3_600_000)
  clock.add(900, 5000, 1000)
  assert.equal(clock.now(), before)
})
