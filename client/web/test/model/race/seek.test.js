import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSeeking } from '../../../src/model/race/room-view.js'
import { nextStep, roomsFor, settingsFor } from '../../../src/model/race/seek.js'

/** @import { SeekRoom } from '../../../src/model/race/seek.js' */
/** @import { View } from '../../../src/protocol/protocol.d.ts' */

const NOW = 1_000_000

/** @param {string} code @param {Partial<SeekRoom>} [changed] @returns {SeekRoom} */
const room = (code, changed) => ({ code, game: 'lucas', seeking: true, open: true, phase: 'lobby', starts_at: null, ...changed })

/** @param {Record<number, {here?: boolean, ready?: boolean}>} people @param {number} [host] */
const view = (people, host = 1) =>
  /** @type {View} */ (
    /** @type {unknown} */ ({ people, host, settings: { seeking: true }, race: { number: 1, starts_at: null } })
  )

const HERE = { here: true, ready: true }

test('a seeker is offered open easy rooms of seekers, first those that wait', () => {
  const rooms = [
    room('START', { phase: 'racing', starts_at: NOW + 5000 }),
    room('D'),
    room('B'),
    room('FULL', { open: false }),
    room('FRIENDS', { seeking: false }),
    room('HARD', { game: 'forty-thieves' }),
    room('ON', { phase: 'racing', starts_at: NOW - 1 }),
    room('LATE', { phase: 'racing', starts_at: NOW + 2000 }),
    room('OVER', { phase: 'over' }),
  ]
  assert.deepEqual(roomsFor(rooms, NOW, 'lucas'), ['B', 'D', 'START'])
  assert.deepEqual(roomsFor([...rooms, room('Z', { game: 'little-forty' })], NOW, 'little-forty'), ['Z', 'B', 'D', 'START'])
})

test('of two who opened rooms at the same moment exactly one moves', () => {
  const rooms = [room('B'), room('D'), room('START', { phase: 'racing', starts_at: NOW + 5000 })]
  assert.deepEqual(roomsFor(rooms, NOW, 'lucas', 'B'), [])
  assert.deepEqual(roomsFor(rooms, NOW, 'lucas', 'D'), ['B'])
})

test('a seeker is ready at once, and after the wait gets a bot, a start, or another room', () => {
  assert.equal(nextStep(view({ 1: { here: true } }), 1, false), 'ready')
  assert.equal(nextStep(view({ 1: HERE }), 1, false), null)
  assert.equal(nextStep(view({ 1: HERE, 2: { ...HERE, here: false } }), 1, true), 'bot')
  assert.equal(nextStep(view({ 1: HERE, 2: { here: true } }), 1, true), 'start', 'the other one is not ready')
  assert.equal(nextStep(view({ 1: { here: true }, 2: HERE }), 2, true), 'elsewhere', 'the host does nothing')
})

test('the room of a seeker has an easy game, and after its race is like any other', () => {
  assert.deepEqual(
    ['little-forty', 'forty-thieves', 'unknown'].map((game) => settingsFor(game).game),
    ['little-forty', 'lucas', 'lucas'],
  )
  const open = view({ 1: HERE })
  assert.ok(isSeeking(open))
  assert.ok(!isSeeking({ ...open, race: { ...open.race, starts_at: 5 } }))
  assert.ok(!isSeeking({ ...open, race: { ...open.race, number: 2 } }))
})
