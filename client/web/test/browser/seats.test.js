import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeats } from '../../src/browser/seats.js'

function browser() {
  /** @type {Map<string, string>} */
  const kept = new Map()
  let now = 1_000_000_000
  const store = {
    recall: (/** @type {string} */ key) => kept.get(key) ?? null,
    remember: (/** @type {string} */ key, /** @type {string | null} */ value) =>
      void (value === null ? kept.delete(key) : kept.set(key, value)),
  }
  return { kept, seats: createSeats(store, () => now), pass: (/** @type {number} */ ms) => (now += ms) }
}

test('a seat is found again, and the newest is offered', () => {
  const { seats } = browser()
  seats.take('AAAAAA', 'Ann')
  seats.take('BBBBBB', 'Annie')
  assert.equal(seats.at('AAAAAA')?.name, 'Ann')
  assert.equal(seats.latest()?.code, 'BBBBBB')
  assert.equal(seats.latest('AAAAAA')?.name, 'Ann')
  assert.equal(seats.latest('CCCCCC'), null)
})

test('a seat that was left is forgotten', () => {
  const { seats, kept } = browser()
  seats.take('AAAAAA', 'Ann')
  seats.leave('AAAAAA')
  assert.equal(seats.at('AAAAAA'), null)
  assert.equal(kept.size, 0)
})

test('yesterday’s seat is not offered, and only so many are kept', () => {
  const { seats, pass } = browser()
  for (let i = 0; i < 30; i += 1) seats.take(`AAAA${String.fromCharCode(65 + (i % 26))}${i < 26 ? 'A' : 'B'}`, 'Ann')
  assert.equal(seats.at('AAAAAA'), null)
  pass(13 * 3600 * 1000)
  assert.equal(seats.latest(), null)
})

test('what somebody else wrote into the storage does no harm', () => {
  const { seats, kept } = browser()
  kept.set('seats', '{broken')
  assert.equal(seats.latest(), null)
})
