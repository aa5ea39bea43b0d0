import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftBehind } from '../../src/model/leaving.js'

const ANN = { name: 'Ann', bot: false, here: true }

/** @param {Record<string, any>} [changed] */
const roomOf = (changed = {}) => /** @type {any} */ ({ code: 'KQXWVD', people: { 1: ANN }, race: { number: 1 }, ...changed })

test('who is alone in a room, or with bots and people who are away, leaves nothing behind', () => {
  assert.equal(leftBehind(null, 0), null)
  assert.equal(leftBehind(roomOf(), 1), null)
  const people = { 1: ANN, 2: { name: 'Bot', bot: true, here: true }, 3: { name: 'Cleo', bot: false, here: false } }
  assert.equal(leftBehind(roomOf({ people }), 1), null)
})

test('who is in a room with others is missed, but no watcher is, and nobody after a tournament', () => {
  const people = { 1: ANN, 2: { name: 'Bob', bot: false, here: true } }
  assert.deepEqual(leftBehind(roomOf({ people }), 1), { code: 'KQXWVD', races: false, others: 1 })
  assert.equal(leftBehind(roomOf({ people }), 0), null)
  assert.equal(leftBehind(roomOf({ people, tournament: { phase: 'over' } }), 1), null)
})

test('a race of one’s own that is on is left behind, also without others', () => {
  const race = { number: 1, starts_at: 1000, racers: { 1: { name: 'Ann', state: 'racing' } } }
  assert.deepEqual(leftBehind(roomOf({ race }), 1), { code: 'KQXWVD', races: true, others: 0 })
  assert.equal(leftBehind(roomOf({ race: { ...race, over_at: 2000 } }), 1), null)
  assert.equal(leftBehind(roomOf({ race: { ...race, racers: { 1: { name: 'Ann', state: 'gave_up' } } } }), 1), null)
})
