import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenLanes, leaderOf, phaseOf, rematchers, standings } from '../../../src/model/race/room-view.js'
import { waitingFor } from '../../../src/model/race/waiting.js'
import { joined, pluck } from '../../helpers.js'
import { textOf } from '../tournament/views.js'

/** @param {object} [race] @param {object} [people] @param {object} [settings] @returns {any} */
const view = (race = {}, people = {}, settings = {}) => ({
  code: 'KQXWVD',
  host: 1,
  settings: { auto_start: true, ...settings },
  people,
  race: { number: 1, ...race },
})

const person = (/** @type {string} */ name, ready = false, here = true) => ({ name, ready, here })
const ANN = person('Ann', true)
const BOB = person('Bob', true)

/** The text for a player about a lobby. @param {number} seat @param {object} people @param {object} [settings] */
const waits = (seat, people, settings) => textOf(waitingFor(view({}, people, settings), seat))

test('the clock decides the phase', () => {
  assert.equal(phaseOf(view(), 100), 'lobby')
  assert.equal(phaseOf(view({ starts_at: 200 }), 100), 'countdown')
  assert.equal(phaseOf(view({ starts_at: 200 }), 200), 'racing')
  assert.equal(phaseOf(view({ starts_at: 200, over_at: 300 }), 400), 'over')
})

test('a lobby names those it waits for, and calls the player "you"', () => {
  const people = { 1: ANN, 2: person('Bob'), 3: person('Cleo') }
  assert.equal(waits(1, people), 'Waiting for Bob and Cleo to be ready.')
  assert.equal(waits(2, people), 'Waiting for you and Cleo to be ready.')
  const many = { 1: ANN, 2: person('B'), 3: person('C'), 4: person('D'), 5: person('E') }
  assert.equal(waits(1, many), 'Waiting for B, C, and 2 others to be ready.')
  const { with: parts } = waitingFor(view({}, { 1: person('Ann'), 2: person('Bob') }), 1)
  assert.deepEqual(parts, { names: ['you', ' and ', { name: 'Bob' }] }, 'names stay apart from the words')
})

test('a lobby waits for nobody who is away, but for the host', () => {
  const absent = { 1: ANN, 2: person('Bob', false, false) }
  assert.equal(waits(1, absent), 'The others are away. Start now, or wait for them.')
  assert.equal(waits(1, { ...absent, 3: person('Cleo', true) }), 'Everyone is ready.')
  const hostAway = 'Everyone is ready, but Ann is away. In half a minute, someone else can start.'
  for (const auto_start of [false, true]) {
    const people = { 1: person('Ann', true, false), 2: BOB, 3: person('Cleo', true) }
    assert.equal(waits(2, people, { auto_start }), hostAway)
  }
  assert.equal(waits(2, { 1: ANN, 2: BOB }, { auto_start: false }), 'Everyone is ready. Waiting for Ann to start.')
})

test('after a race, those who are ready want a rematch', () => {
  const people = { 1: ANN, 2: BOB, 3: person('Cleo'), 4: { ...BOB, name: 'Ali', bot: true } }
  assert.deepEqual(rematchers(view({ number: 2 }, people), 1), ['Bob'])
  assert.deepEqual(rematchers(view({ number: 2, starts_at: 5 }, people), 1), [])
})

/** The names in order. @param {object} race @param {any} [rows] */
const order = (race, rows = {}) => joined(pluck(standings(view(race), rows), 'name'))

test('racers are in the order of the server’s places, or of the known progress', () => {
  const racers = {
    1: { name: 'Ann', state: 'racing' },
    2: { name: 'Bob', state: 'solved', finished_at: 9000 },
    3: { name: 'Cleo', state: 'racing' },
    4: { name: 'Dan', state: 'solved', finished_at: 8000 },
  }
  const rows = { 1: { moves: 9, home: 7, stock: 3 }, 3: { moves: 9, home: 70, stock: 0 } }
  assert.equal(order({ starts_at: 1000, racers }, rows), 'Dan Bob Cleo Ann')
  assert.equal(standings(view({ starts_at: 1000, racers }), rows)[0]?.ms, 7000)
  const level = { 1: { moves: 9, home: 7, stock: 3 }, 3: { moves: 8, home: 7, stock: 0 } }
  assert.equal(order({ starts_at: 1000, racers }, level), 'Dan Bob Ann Cleo', 'in every view')
  const done = {
    1: { name: 'Ann', state: 'gave_up', home: 8, moves: 0 },
    2: { name: 'Bob', state: 'timed_out', home: 8, moves: 6 },
    3: { name: 'Cleo', state: 'disqualified', home: 60, moves: 90 },
  }
  assert.equal(order({ racers: done }), 'Cleo Bob Ann')
  assert.equal(order({ racers: { ...done, 2: { ...done[2], place: 1 } }, over_at: 9000 }), 'Bob Cleo Ann')
  const placed = { 1: { name: 'Ann', home: 50, place: 2 }, 2: { name: 'Bob', home: 50, place: 1 } }
  assert.equal(order({ racers: placed }), 'Bob Ann')
})

/** @param {number} seat @param {number} home @param {string} [state] @returns {any} */
const lane = (seat, home, state = 'racing') => ({ seat, home, state })

test('nobody leads while two are equal, or alone', () => {
  assert.equal(leaderOf([lane(1, 8), lane(2, 8)]), 0)
  assert.equal(leaderOf([lane(1, 9), lane(2, 8)]), 1)
  assert.equal(leaderOf([lane(1, 104, 'solved'), lane(2, 104, 'solved')]), 1)
  assert.equal(leaderOf([lane(1, 50)]), 0)
})

test('the shown lanes are the player, the leaders and the neighbours, by rank', () => {
  /** @param {any[]} lanes @param {number} seat @param {number} room */
  const chosen = (lanes, seat, room) => chosenLanes(lanes, seat, room).map(({ lane, rank }) => `${lane.seat}:${rank}`)
  assert.deepEqual(chosen([lane(5, 30), lane(6, 20), lane(7, 10)], 7, 8), ['5:1', '6:2', '7:3'])
  const level = [lane(1, 9), lane(2, 8), lane(3, 8), lane(4, 7)]
  assert.deepEqual(chosen(level, 0, 8), ['1:1', '2:2', '3:2', '4:4'])
  const hundred = Array.from({ length: 100 }, (_, i) => lane(i + 1, 100 - i))
  const some = chosen(hundred, 50, 6)
  assert.equal(some.length, 6)
  for (const one of ['1:1', '49:49', '50:50', '51:51']) assert.ok(some.includes(one))
})
