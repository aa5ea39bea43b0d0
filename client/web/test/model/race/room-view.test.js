import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenLanes, leaderOf, phaseOf, rematchers, standings } from '../../../src/model/race/room-view.js'
import { waitingFor as sentence } from '../../../src/model/race/waiting.js'
import { said } from '../tournament/views.js'

/** @param {object} [race] @param {object} [people] @param {object} [settings] @returns {any} */
const view = (race = {}, people = {}, settings = {}) => ({
  code: 'KQXWVD',
  host: 1,
  settings: { auto_start: true, ...settings },
  people,
  race: { number: 1, ...race },
})

const person = (/** @type {string} */ name, ready = false, here = true) => ({ name, ready, here })

/** @param {any} room @param {number} seat */
const waitingFor = (room, seat) => said(sentence(room, seat))

test('a phase is a matter of the clock', () => {
  assert.equal(phaseOf(view(), 100), 'lobby')
  assert.equal(phaseOf(view({ starts_at: 200 }), 100), 'countdown')
  assert.equal(phaseOf(view({ starts_at: 200 }), 200), 'racing')
  assert.equal(phaseOf(view({ starts_at: 200, over_at: 300 }), 400), 'over')
})

test('whom a lobby waits for is said by name, and oneself is "you"', () => {
  const people = { 1: person('Ann', true), 2: person('Bob'), 3: person('Cleo') }
  assert.equal(waitingFor(view({}, people), 1), 'Waiting for Bob and Cleo to be ready.')
  assert.equal(waitingFor(view({}, people), 2), 'Waiting for you and Cleo to be ready.')
})

test('nobody waits for somebody who is away, and who waits for an away host is told for how long', () => {
  const people = { 1: person('Ann', true), 2: person('Bob', false, false) }
  assert.equal(waitingFor(view({}, people), 1), 'The others are away. Start now, or wait for them.')
  assert.equal(waitingFor(view({}, { ...people, 3: person('Cleo', true) }), 1), 'Everyone is ready.')
  const left = { 1: person('Ann', true, false), 2: person('Bob', true), 3: person('Cleo', true) }
  for (const auto_start of [false, true]) {
    assert.match(
      waitingFor(view({}, left, { auto_start }), 2),
      /^Everyone here is ready, but Ann is away\. Someone else can start after half a minute\.$/,
    )
  }
})

test('after a race those who are ready want a rematch', () => {
  const people = { 1: person('Ann', true), 2: person('Bob', true), 3: person('Cleo') }
  assert.deepEqual(rematchers(view({ number: 2 }, people), 1), ['Bob'])
  assert.deepEqual(rematchers(view({ number: 2, starts_at: 5 }, people), 1), [])
})

test('without auto-start everybody waits for the host', () => {
  const people = { 1: person('Ann', true), 2: person('Bob', true) }
  assert.equal(waitingFor(view({}, people, { auto_start: false }), 2), 'Everyone is ready. Waiting for Ann to start.')
})

test('names are kept apart from the words around them', () => {
  assert.deepEqual(sentence(view({}, { 1: person('Ann'), 2: person('Bob') }), 1), {
    id: 'race.waiting.unready',
    with: { names: ['you', ' and ', { name: 'Bob' }] },
  })
})

test('many names are counted, not listed', () => {
  const people = { 1: person('Ann', true), 2: person('B'), 3: person('C'), 4: person('D'), 5: person('E') }
  assert.equal(waitingFor(view({}, people), 1), 'Waiting for B, C, and 2 others to be ready.')
})

test('in a race, solved stands before unsolved and more cards home before fewer', () => {
  const racers = {
    1: { name: 'Ann', state: 'racing' },
    2: { name: 'Bob', state: 'solved', finished_at: 9000 },
    3: { name: 'Cleo', state: 'racing' },
    4: { name: 'Dan', state: 'solved', finished_at: 8000 },
  }
  const rows = { 1: { moves: 9, home: 7, stock: 3 }, 3: { moves: 9, home: 70, stock: 0 } }
  const lanes = standings(view({ starts_at: 1000, racers }), rows)
  assert.deepEqual(
    lanes.map((lane) => lane.name),
    ['Dan', 'Bob', 'Cleo', 'Ann'],
  )
  assert.equal(lanes[0]?.ms, 7000)
})

test('who has made no move is behind who has, and who has no place is last once the race is over', () => {
  const racers = {
    1: { name: 'Ann', state: 'gave_up', home: 8, moves: 0 },
    2: { name: 'Bob', state: 'timed_out', home: 8, moves: 6 },
    3: { name: 'Cleo', state: 'disqualified', home: 60, moves: 90 },
  }
  const names = (/** @type {any} */ race) => standings(view(race), {}).map((lane) => lane.name)
  assert.deepEqual(names({ racers }), ['Cleo', 'Bob', 'Ann'])
  const placed = { ...racers, 2: { ...racers[2], place: 1 } }
  assert.deepEqual(names({ racers: placed, over_at: 9000 }), ['Bob', 'Cleo', 'Ann'])
})

test('once the server has ranked, its places stand', () => {
  const racers = {
    1: { name: 'Ann', state: 'gave_up', home: 50, place: 2 },
    2: { name: 'Bob', state: 'gave_up', home: 50, place: 1 },
  }
  assert.deepEqual(
    standings(view({ racers }), {}).map((lane) => lane.name),
    ['Bob', 'Ann'],
  )
})

test('a few lanes are all shown, oneself on top, each with its rank', () => {
  const lanes = /** @type {any[]} */ ([
    { seat: 5, home: 30 },
    { seat: 6, home: 20 },
    { seat: 7, home: 10 },
  ])
  assert.deepEqual(
    chosenLanes(lanes, 7, 8).map(({ lane, rank }) => [lane.seat, rank]),
    [
      [7, 3],
      [5, 1],
      [6, 2],
    ],
  )
})

test('of many lanes one sees oneself, the leader and the neighbours', () => {
  const lanes = /** @type {any[]} */ (Array.from({ length: 100 }, (_, i) => ({ seat: i + 1, home: 100 - i })))
  const ranks = chosenLanes(lanes, 50, 6).map(({ rank }) => rank)
  assert.equal(ranks.length, 6)
  assert.equal(ranks[0], 50)
  assert.ok(ranks.includes(1) && ranks.includes(49) && ranks.includes(51))
})

test('nobody leads as long as two are equally far', () => {
  const lane = (/** @type {number} */ seat, /** @type {number} */ home, state = 'racing') =>
    /** @type {any} */ ({ seat, home, state })
  assert.equal(leaderOf([lane(1, 8), lane(2, 8)]), 0)
  assert.equal(leaderOf([lane(1, 9), lane(2, 8)]), 1)
  assert.equal(leaderOf([lane(1, 104, 'solved'), lane(2, 104, 'solved')]), 1)
  assert.equal(leaderOf([lane(1, 50)]), 0, 'alone one leads nobody')
})

test('equals have the same rank', () => {
  const lanes = /** @type {any[]} */ ([9, 8, 8, 7].map((home, i) => ({ seat: i + 1, home, state: 'racing' })))
  assert.deepEqual(
    chosenLanes(lanes, 0, 8).map(({ rank }) => rank),
    [1, 2, 2, 4],
  )
})
