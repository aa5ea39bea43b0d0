import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals'
import { createVisit, leftBehind } from '../../src/browser/room-visit.js'
import { createRoute } from '../../src/browser/route.js'
import { createSeats } from '../../src/browser/seats.js'
import { createClock } from '../../src/net/server-clock.js'
import { createSession } from '../../src/net/session.js'
import { seekIn } from '../../src/pages/find-opponent.js'
import { ROOM_GONE } from '../../src/protocol/constants.js'
import * as rules from '../../src/rules/rules.js'
import { fakeSocket, settle, storage } from '../helpers.js'

/** @import { TestContext } from 'node:test' */

const A = 'KQXWVD'
const B = 'ZYXWVT'

/**
 * A browser at a URL, with seats in rooms, and the test as the server.
 * @param {TestContext} context @param {string} path @param {string[]} seated
 */
function browserAt(context, path, ...seated) {
  const location = { pathname: path, hash: '', search: '' }
  const entries = [path]
  const seats = createSeats(storage())
  for (const code of seated) seats.take(code, 'Ann')
  /** @type {Map<string, () => void>} */
  const listeners = new Map()
  function go(/** @type {string} */ to) {
    const { pathname, hash } = new URL(to, 'http://localhost')
    Object.assign(location, { pathname, hash })
  }
  const window = /** @type {any} */ ({
    location,
    history: {
      state: null,
      pushState(/** @type {any} */ _, /** @type {any} */ __, /** @type {string} */ to) {
        go(to)
        entries.push(to)
      },
      back() {
        entries.pop()
        go(entries.at(-1) ?? '/')
        listeners.get('popstate')?.()
      },
    },
    addEventListener: (/** @type {string} */ event, /** @type {() => void} */ run) => listeners.set(event, run),
    scrollTo() {},
  })
  const route = createRoute(window)
  let socket = fakeSocket()
  const session = createSession({
    connect: () => (socket = fakeSocket()),
    clock: createClock(),
    guestToken: { get: () => null, set() {} },
    loadRules: async () => rules,
    face: { peek: () => 7 },
    numbers: { draw() {}, toReveal: () => null, revealed() {} },
  })
  context.after(session.close)
  const visit = createVisit({ session, route, seats, prefs: { name: signal('Ann') }, spoken: Promise.resolve() })
  session.start()
  const it = {
    ...{ session, visit, route, seats },
    /** Navigates, for example with the back button. @param {string} to */
    goTo(to) {
      go(to)
      listeners.get('popstate')?.()
    },
    back: () => window.history.back(),
    /** The URL, and whether the page asks. */
    where: () => [location.pathname, it.visit.leaving.value?.races ?? null],
    /** Opens the connection immediately. */
    connect() {
      session.wake()
      socket.welcome()
    },
    /** The commands on this connection, without their numbers. */
    asked: () => socket.asked.map(([tag, , ...fields]) => [tag, ...fields]),
    /** @param {string} tag of a command */
    async untilAsked(tag) {
      while (it.asked().at(-1)?.[0] !== tag) await settle()
    },
    answer: (/** @type {string[]} */ ...why) => socket.answer(...why),
    /** @param {string} code @param {number} seat @param {object} [people] @param {object} [race] */
    room: (code, seat, people = { 1: { name: 'Ann' } }, race = { number: 1 }) =>
      socket.receive('room', 'e1', 1, seat, { code, people, race, settings: {} }),
    /** The server closes the connection. @param {number} code */
    close: (code) => socket.onclose({ code }),
    at: () => session.view.value?.code ?? null,
    /** Enter a room as the server accepts it. @param {object} [people] */
    async inside(people) {
      it.room(A, 1, people)
      it.answer()
      await settle()
      return it
    },
  }
  it.connect()
  return it
}

test('the URL of a room returns the player to the seat there', async (context) => {
  const it = browserAt(context, `/r/${A}`, A)
  assert.deepEqual(it.asked(), [['join', A, 'Ann', null, false, '', '', 7]])
  assert.equal(it.visit.returning.value, true)
  await it.inside()
  assert.deepEqual([it.at(), it.visit.returning.value], [A, false])
  it.goTo(`/r/${A}/1`)
  it.goTo(`/r/${A}`)
  assert.equal(it.at(), A, 'a player stays in the room during a replay')
  it.goTo('/')
  assert.equal(it.at(), null)
})

test('a player who goes to another room during an entry no longer returns', async (context) => {
  const it = browserAt(context, `/r/${A}`, A)
  it.goTo(`/r/${B}`)
  await settle()
  assert.deepEqual([it.visit.returning.value, it.visit.why.value], [false, null])
  it.connect()
  assert.deepEqual(it.asked(), [])
})

test('of two entries, only the answer of the later one counts', async (context) => {
  const it = browserAt(context, `/r/${A}`, A, B)
  for (const code of [B, A, B]) it.goTo(`/r/${code}`)
  it.connect()
  assert.deepEqual(it.asked(), [['join', B, 'Ann', null, false, '', '', 7]])
  await settle()
  assert.equal(it.visit.returning.value, true)
  it.answer('unknown-room', 'There is no such room.')
  await settle()
  assert.deepEqual([it.visit.returning.value, it.visit.why.value?.code], [false, 'unknown-room'])
  assert.deepEqual([it.seats.at(A)?.code, it.seats.at(B)], [A, null])
})

test('a race against a bot keeps the page until it starts', async (context) => {
  const it = browserAt(context, '/')
  const begun = it.visit.raceBot('Ann', {})
  await it.inside()
  await it.untilAsked('bot')
  it.answer()
  await it.untilAsked('ready') // after its number is hashed, which takes a while on a busy machine
  it.answer()
  await settle()
  assert.deepEqual(
    it.asked().map(([tag]) => tag),
    ['create', 'bot', 'ready'],
  )
  assert.equal(it.where()[0], '/')
  it.room(A, 1, undefined, { number: 1, starts_at: 9000 })
  await begun
  assert.equal(it.where()[0], `/r/${A}`)
})

test('the player who creates a room has a seat there, and its URL', async (context) => {
  const it = browserAt(context, '/')
  const created = it.visit.create('ann', { game: 'maria' })
  await it.inside()
  await created
  assert.deepEqual([it.route.code.value, it.seats.at(A)?.name, it.at()], [A, 'Ann', A], 'the name is the server’s')
  assert.deepEqual(
    it.asked(),
    [['create', 'ann', { game: 'maria' }, false, null, '', 7, '']],
    'one process serves all rooms: no other connection',
  )
})

test('a seeker takes the first room with a seat, and moves from an own room to another one', async (context) => {
  const it = browserAt(context, '/')
  const found = seekIn(it, 'ann', { seats: 4 }, ['BCDFGH', A])
  it.answer('full', 'The room is full.')
  await settle()
  it.room(A, 1)
  it.answer()
  await found
  const fields = [null, false, '', '', 7]
  assert.deepEqual(it.asked(), [
    ['join', 'BCDFGH', 'ann', ...fields],
    ['join', A, 'ann', ...fields],
  ])
  assert.deepEqual([it.route.code.value, it.seats.at(A)?.name, it.visit.sought.value > 0], [A, 'Ann', true])

  const moved = seekIn(it, 'Ann', { seats: 4 }, [B])
  it.answer()
  await settle()
  it.answer('locked', 'The room is locked.')
  await settle()
  it.room('BCDFGH', 1)
  it.answer()
  await moved
  assert.deepEqual(it.asked().slice(2), [
    ['leave'],
    ['join', B, 'Ann', ...fields],
    ['create', 'Ann', { seats: 4 }, false, null, '', 7, ''],
  ])
  assert.deepEqual([it.route.code.value, it.seats.at(A)], ['BCDFGH', null])
  it.goTo('/')
  assert.equal(it.visit.sought.value, 0)
})

test('a refused room leaves the player on the page, who can try a second time', async (context) => {
  const it = browserAt(context, '/')
  for (const name of ['', '!']) {
    const created = it.visit.create(name, {})
    it.answer('bad-name', 'That is no name.')
    await assert.rejects(created, { code: 'bad-name' })
  }
  assert.deepEqual([it.route.code.value, it.asked().length], [null, 2])
})

const ANN = { name: 'Ann', bot: false, here: true }
const BOB = { ...ANN, name: 'Bob' }
const BOTH = { 1: ANN, 2: BOB }

test('the page asks before a player leaves others', async (context) => {
  const it = await browserAt(context, `/r/${A}`, A).inside(BOTH)
  const ways = [it.route.toFront, it.route.toChoice, () => it.route.toRoom(B), () => it.route.toWatch(A)]
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

test('the way back asks in a race, also out of the site, and is as short as before afterwards', async (context) => {
  const race = { number: 1, starts_at: 1000, racers: { 1: { name: 'Ann', state: 'racing' } } }
  const it = browserAt(context, '/', A)
  it.route.toChoice()
  it.route.toRoom(A)
  it.connect()
  await it.inside()
  const begin = () => it.room(A, 1, { 1: ANN }, race)
  begin()
  it.back()
  assert.deepEqual(it.where(), [`/r/${A}`, true])
  it.visit.leaving.value = null // the player stays
  it.back()
  assert.deepEqual(it.where(), [`/r/${A}`, true], 'and is asked again')
  it.visit.leaving.value = null
  it.room(A, 1, { 1: ANN }, { ...race, over_at: 2000 })
  it.back()
  assert.deepEqual(it.where(), ['/practice', null])
  it.route.toRoom(A)
  it.connect()
  await it.inside()
  begin()
  it.back()
  const { leaving } = it.visit
  leaving.value?.go()
  assert.deepEqual([...it.where(), it.at()], ['/', null, null])
})

test('the page does not ask before a replay, or after the room is gone', async (context) => {
  const it = await browserAt(context, `/r/${A}`, A).inside(BOTH)
  it.route.toReplay(A, 1)
  assert.deepEqual([it.route.place.value.replay, it.visit.leaving.value], [1, null])
  it.route.toRoom(A)
  assert.equal(it.visit.leaving.value, null)
  it.route.toFront()
  it.close(ROOM_GONE)
  it.goTo('/')
  assert.equal(it.visit.leaving.value, null)
})

test('a spectator enters by URL and name, if needed with a password', async (context) => {
  const it = browserAt(context, `/r/${A}/w`)
  assert.deepEqual(it.asked(), [['watch', A, 'Ann', '', 7, false]])
  it.answer('wrong-password', 'Wrong password.')
  await settle()
  assert.equal(it.visit.why.value?.code, 'wrong-password')
  it.visit.watch('sesame')
  assert.equal(it.visit.why.value, null)
  assert.deepEqual(it.asked().at(-1), ['watch', A, 'Ann', 'sesame', 7, false])
  it.room(A, 0)
  it.answer()
  await settle()
  it.goTo(`/r/${A}/p`)
  await settle()
  it.connect()
  assert.deepEqual(it.asked(), [['watch', A, 'Spectator', '', 7, true]])
})

test('a removed player learns why, and has no seat there any more', async (context) => {
  const it = await browserAt(context, `/r/${A}`, A).inside()
  it.close(4002)
  assert.deepEqual([it.visit.why.value?.code, it.seats.at(A)], ['kicked', null])
})

test('leaving gives up the seat and leads to the front page', async (context) => {
  const it = await browserAt(context, `/r/${A}`, A).inside()
  const left = it.visit.leave()
  it.answer()
  await left
  assert.deepEqual([it.route.code.value, it.seats.at(A)], [null, null])
})

/** What a player leaves behind. @param {number} seat @param {Record<string, any>} [changed] */
const left = (seat, changed = {}) =>
  leftBehind(/** @type {any} */ ({ code: A, people: { 1: ANN }, race: { number: 1 }, ...changed }), seat)

test('a player leaves behind other people, and a running race', () => {
  assert.equal(leftBehind(null, 0), null)
  assert.equal(left(1), null)
  assert.equal(left(1, { people: { 1: ANN, 2: { ...BOB, bot: true }, 3: { ...BOB, here: false } } }), null, 'bots, absent')
  const people = BOTH
  assert.deepEqual(left(1, { people }), { code: A, races: false, others: 1 })
  assert.equal(left(0, { people }), null, 'a spectator')
  assert.equal(left(1, { people, tournament: { phase: 'over' } }), null)
  const race = { number: 1, starts_at: 1000, racers: { 1: { name: 'Ann', state: 'racing' } } }
  assert.deepEqual(left(1, { race }), { code: A, races: true, others: 0 })
  assert.equal(left(1, { race: { ...race, over_at: 2000 } }), null)
  assert.equal(left(1, { race: { ...race, racers: { 1: { name: 'Ann', state: 'gave_up' } } } }), null)
})
