import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from '@msgpack/msgpack'
import { signal } from '@preact/signals'
import { createVisit, leftBehind } from '../../src/browser/room-visit.js'
import { createRoute } from '../../src/browser/route.js'
import { createSeats } from '../../src/browser/seats.js'
import { createClock } from '../../src/net/server-clock.js'
import { createSession } from '../../src/net/session.js'
import { ROOM_GONE } from '../../src/protocol/constants.js'
import * as rules from '../../src/rules/rules.js'

const A = 'KQXWVD'
const B = 'ZYXWVT'

/** A browser at an address, with seats in rooms, and a server that the test plays. @param {string} path @param {string[]} seated */
function browserAt(path, ...seated) {
  const location = { pathname: path, hash: '' }
  const kept = new Map()
  const store = {
    recall: (/** @type {string} */ key) => kept.get(key) ?? null,
    remember: (/** @type {string} */ key, /** @type {string | null} */ value) => void kept.set(key, value),
  }
  const seats = createSeats(store)
  for (const code of seated) seats.take(code, 'Ann')
  /** @type {Map<string, () => void>} */
  const listeners = new Map()
  function go(/** @type {string} */ to) {
    const { pathname, hash } = new URL(to, 'http://localhost')
    Object.assign(location, { pathname, hash })
  }
  const window = /** @type {any} */ ({
    location,
    history: { state: null, pushState: (/** @type {any} */ _, /** @type {any} */ __, /** @type {string} */ to) => go(to) },
    addEventListener: (/** @type {string} */ event, /** @type {() => void} */ run) => listeners.set(event, run),
    scrollTo() {},
  })
  const route = createRoute(window)
  /** @type {any[]} */
  const lines = []
  const session = createSession({
    connect() {
      const line = {
        /** @type {any[]} */ said: [],
        send: (/** @type {Uint8Array} */ frame) => line.said.push(decode(frame)),
        close() {},
        readyState: 1,
        binaryType: '',
        /** @type {any} */ onopen: null,
        /** @type {any} */ onmessage: null,
        /** @type {any} */ onclose: null,
      }
      lines.push(line)
      return line
    },
    clock: createClock(),
    pass: { get: () => null, set() {} },
    loadRules: async () => rules,
    numbers: { draw() {}, toReveal: () => null, revealed() {} },
  })
  const visit = createVisit({ session, route, seats, prefs: { name: signal('Ann') }, spoken: Promise.resolve() })
  session.start()
  const hear = (/** @type {any[]} */ ...message) => lines.at(-1).onmessage({ data: encode(message) })
  const it = {
    session,
    visit,
    route,
    seats,
    hear,
    /** Navigates, for example with the back button. @param {string} to */
    goTo(to) {
      go(to)
      listeners.get('popstate')?.()
    },
    /** Opens the connection immediately. */
    connect() {
      session.wake()
      lines.at(-1).onopen()
      hear('welcome', 1, 'pass', 0, '1.0')
    },
    /** The commands on this connection, without their numbers. */
    get asked() {
      const said = lines.at(-1).said.filter((/** @type {any[]} */ [tag]) => !['hello', 'ping'].includes(tag))
      return said.map((/** @type {any[]} */ [tag, , ...fields]) => [tag, ...fields])
    },
    /** The server accepts or refuses the last command. @param {string[]} why */
    answer(...why) {
      hear(why.length ? 'refused' : 'ok', lines.at(-1).said.at(-1)[1], ...why)
    },
    /** @param {string} code @param {number} seat */
    room: (code, seat) =>
      hear('room', 'e1', 1, seat, { code, people: { 1: { name: 'Ann' } }, race: { number: 1 }, settings: {} }),
    /** The server closes the connection. @param {number} code */
    close: (code) => lines.at(-1).onclose({ code }),
    at: () => session.view.value?.code ?? null,
  }
  it.connect()
  return it
}

/** Lets promises that can settle do so. */
const settle = () => new Promise((done) => setImmediate(done))

test('an address leads back to one’s seat in that room', async (context) => {
  const it = browserAt(`/r/${A}`, A)
  context.after(it.session.close)
  assert.deepEqual(it.asked, [['join', A, 'Ann', null]])
  assert.equal(it.visit.returning.value, true)
  it.room(A, 1)
  it.answer()
  await settle()
  assert.deepEqual([it.at(), it.visit.returning.value], [A, false])
  it.goTo(`/r/${A}/1`)
  it.goTo(`/r/${A}`)
  assert.equal(it.at(), A, 'a replay leaves one in the room')
  it.goTo('/')
  assert.equal(it.at(), null)
})

test('who turns to another room while still coming into one is on no way any more', async (context) => {
  const it = browserAt(`/r/${A}`, A)
  context.after(it.session.close)
  it.goTo(`/r/${B}`)
  await settle()
  assert.equal(it.visit.returning.value, false)
  assert.equal(it.visit.why.value, null)
  it.connect()
  assert.deepEqual(it.asked, [])
})

test('of two rooms that one comes back to, only the later one’s answer counts', async (context) => {
  const it = browserAt(`/r/${A}`, A, B)
  context.after(it.session.close)
  it.goTo(`/r/${B}`)
  it.goTo(`/r/${A}`)
  it.goTo(`/r/${B}`)
  it.connect()
  assert.deepEqual(it.asked, [['join', B, 'Ann', null]])
  await settle()
  assert.equal(it.visit.returning.value, true)
  it.answer('unknown-room', 'There is no such room.')
  await settle()
  assert.deepEqual([it.visit.returning.value, it.visit.why.value?.code], [false, 'unknown-room'])
  assert.deepEqual([it.seats.at(A)?.code, it.seats.at(B)], [A, null])
})

test('a room that one creates is at its address, and one has a seat there', async (context) => {
  const it = browserAt('/')
  context.after(it.session.close)
  const created = it.visit.create('ann', { game: 'maria' }, { fragment: '#x' })
  assert.deepEqual(it.asked, [['create', 'ann', { game: 'maria' }]])
  it.room(A, 1)
  it.answer()
  await created
  assert.equal(it.route.code.value, A)
  assert.equal(it.seats.at(A)?.name, 'Ann', 'as the server has it')
  assert.equal(it.at(), A)
  assert.deepEqual(it.asked, [['create', 'ann', { game: 'maria' }]], 'where there is one process, the line stays')
})

test('a room that cannot be created leaves one where one is, and it can be tried again on the same line', async (context) => {
  const it = browserAt('/')
  context.after(it.session.close)
  for (const name of ['', '!']) {
    const created = it.visit.create(name, {})
    it.answer('bad-name', 'That is no name.')
    await assert.rejects(created, { code: 'bad-name' })
  }
  assert.equal(it.route.code.value, null)
  assert.equal(it.asked.length, 2)
})

/** Ann has a seat in a room, and Bob is there, too. */
function withBob() {
  const it = browserAt(`/r/${A}`, A)
  const bob = { name: 'Bob', here: true, bot: false }
  it.hear('room', 'e1', 1, 1, { code: A, people: { 1: { name: 'Ann' }, 2: bob }, race: { number: 1 }, settings: {} })
  it.answer()
  return it
}

test('who would be missed in a room is asked before going elsewhere, and goes if that is meant', async (context) => {
  const it = withBob()
  context.after(it.session.close)
  await settle()
  const ways = [it.route.toFront, it.route.toWinnable, () => it.route.toRoom(B), () => it.route.toWatch(A)]
  for (const go of ways) {
    go()
    assert.deepEqual([it.at(), it.visit.leaving.value?.others], [A, 1])
    it.visit.leaving.value = null
  }
  assert.equal(it.route.code.value, A)
  it.route.toFront()
  it.visit.leaving.value?.go()
  assert.deepEqual([it.at(), it.route.code.value, it.visit.leaving.value], [null, null, null])
})

test('nobody is asked on the way to a replay, nor once the room is gone', async (context) => {
  const it = withBob()
  context.after(it.session.close)
  await settle()
  it.route.toReplay(A, 1)
  assert.deepEqual([it.route.place.value.replay, it.visit.leaving.value], [1, null])
  it.route.toRoom(A)
  assert.equal(it.visit.leaving.value, null)
  it.route.toFront()
  it.close(ROOM_GONE)
  it.goTo('/')
  assert.equal(it.visit.leaving.value, null)
})

test('watching follows the address, goes by one’s name, and asks again with a password', async (context) => {
  const it = browserAt(`/r/${A}/w`)
  context.after(it.session.close)
  assert.deepEqual(it.asked, [['watch', A, 'Ann']])
  it.answer('wrong-password', 'Wrong password.')
  await settle()
  assert.equal(it.visit.why.value?.code, 'wrong-password')
  it.visit.watch('sesame')
  assert.equal(it.visit.why.value, null)
  assert.deepEqual(it.asked.at(-1), ['watch', A, 'Ann', 'sesame'])
  it.room(A, 0)
  it.answer()
  await settle()
  it.goTo(`/r/${A}/p`)
  await settle()
  it.connect()
  assert.deepEqual(it.asked, [['watch', A, 'Spectator']])
})

test('who is sent away is told why at the door, and has no seat there any more', async (context) => {
  const it = browserAt(`/r/${A}`, A)
  context.after(it.session.close)
  it.room(A, 1)
  it.answer()
  await settle()
  it.close(4002)
  assert.equal(it.visit.why.value?.code, 'kicked')
  assert.equal(it.seats.at(A), null)
})

test('leaving gives the seat up and goes to the front page', async (context) => {
  const it = browserAt(`/r/${A}`, A)
  context.after(it.session.close)
  it.room(A, 1)
  it.answer()
  await settle()
  const left = it.visit.leave()
  it.answer()
  await left
  assert.deepEqual([it.route.code.value, it.seats.at(A)], [null, null])
})

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
