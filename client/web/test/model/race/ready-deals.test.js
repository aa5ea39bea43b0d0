import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countReady, isOffered, roundWaitsForDeals, waitsForDeals } from '../../../src/model/race/ready-deals.js'

/** @import { Ready } from '../../../src/model/race/ready-deals.js' */

const WINNABLE = ['winnable', 'winnable-1', 'winnable-2', 'winnable-3']

test('a room waits for deals if its race would start automatically', () => {
  const ready = { here: true, ready: true }
  const waits = (/** @type {any} */ changed = {}, /** @type {any} */ people = { 1: ready, 2: ready }) =>
    waitsForDeals(
      /** @type {any} */ ({
        settings: { deal: 'winnable-2', auto_start: true, seats: 8, ...changed },
        race: { starts_at: changed.starts_at },
        people,
      }),
    )
  assert.ok(waits())
  assert.ok(!waits({ deal: 'secret' }))
  assert.ok(!waits({ auto_start: false }), 'it waits for the host')
  assert.ok(!waits({ starts_at: 1 }))
  assert.ok(!waits({}, { 1: ready, 2: { here: true, ready: false } }))
  assert.ok(waits({}, { 1: ready, 2: ready, 3: { here: false, ready: false } }))
  assert.ok(!waits({}, { 1: ready }))
  assert.ok(waits({ seats: 1 }, { 1: ready }))
})

test('a drawn round waits for deals if its countdown is late', () => {
  const waits = (/** @type {number} */ now, /** @type {any} */ changed = {}) =>
    roundWaitsForDeals(
      /** @type {any} */ ({
        settings: { deal: 'winnable', countdown: 5 },
        race: {},
        tournament: { phase: 'drawn', paused: false, next_at: 10_000, ...changed },
      }),
      now,
    )
  assert.ok(!waits(5_900))
  assert.ok(waits(6_000))
  assert.ok(!waits(6_000, { phase: 'racing' }))
  assert.ok(!waits(6_000, { paused: true }))
  assert.ok(!waits(6_000, { next_at: null }))
})

test('ready deals are counted by stars, or all, if the server offers any', () => {
  /** @type {Ready} */
  const found = { needed: 16, ready: { lucas: [5, 6, 7] } }
  assert.equal(WINNABLE.map((deal) => countReady(found, { game: 'lucas', deal })).join(' '), '18 5 6 7')
  assert.equal(countReady(found, { game: 'maria', deal: 'winnable' }), 0)
  assert.ok(!isOffered(null))
  assert.ok(!isOffered({ needed: 16, ready: {} }))
  assert.ok(isOffered({ needed: 16, ready: { lucas: [0, 0, 0] } }))
})
