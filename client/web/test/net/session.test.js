import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals'
import { createPromises } from '../../src/browser/deal-promises.js'
import { createClock } from '../../src/net/server-clock.js'
import { createSession, merge } from '../../src/net/session.js'
import * as rules from '../../src/rules/rules.js'
import { fakeSocket, joined, pluck, START, settle, storage } from '../helpers.js'

/** @import { TestContext } from 'node:test' */

const VIEW = {
  code: 'KQXWVD',
  host: 1,
  settings: { game: 'maria', undo: 'turned' },
  people: { 1: { name: 'Ann', here: true } },
  race: { number: 1 },
}

/**
 * A session with the test as its server.
 * @param {TestContext} context @param {string} [code] of the room in the first URL
 * @param {(code: string) => Promise<boolean>} [isReady]
 */
function connected(context, code = 'KQXWVD', isReady) {
  /** @type {ReturnType<typeof fakeSocket>[]} */
  const sockets = []
  const session = createSession({
    connect: (named) => sockets[sockets.push(fakeSocket(named)) - 1],
    clock: createClock(),
    guestToken: { get: () => null, set() {} },
    loadRules: async () => rules,
    random: () => 0,
    nonce: () => 'ab'.repeat(16),
    numbers: createPromises(storage()),
    face: { peek: () => 7 },
    ...(isReady && { isReady }),
  })
  context.after(() => session.close()) // timers would keep the test running
  session.start(code)
  sockets[0].welcome(true)
  return { session, sockets, socket: sockets[0] }
}

/** @param {ReturnType<typeof fakeSocket>} socket @param {string} [code] @param {object} [people] */
function enters(socket, code = VIEW.code, people = VIEW.people) {
  socket.receive('room', 'e1', 3, 1, { ...VIEW, code, people })
  socket.answer()
}

/** @param {TestContext} context */
async function seated(context) {
  const it = connected(context)
  const entered = it.session.enter('KQXWVD', 'Ann')
  enters(it.socket)
  await entered
  it.socket.sent.length = 0
  return it
}

/** The last command, after the browser has hashed a number, which takes a moment. @param {ReturnType<typeof fakeSocket>} socket */
async function askedWithNumber(socket) {
  while (!socket.asked.length) await settle()
  return socket.asked.at(-1)
}

test('entering a room brings its view, and patches change it', async (context) => {
  const { session, socket } = await seated(context)
  assert.deepEqual([session.seat.value, session.isHost.value], [1, true])
  socket.receive('patch', 4, { people: { 2: { name: 'Bob' } }, locked: true })
  const { people, locked } = session.view.value ?? assert.fail()
  assert.deepEqual([people[1]?.name, people[2]?.name, locked], ['Ann', 'Bob', true])
})

test('the player learns why a room cannot be entered, and is in no room', async (context) => {
  const { session, socket } = connected(context, 'ZZZZZZ')
  const entered = session.enter('ZZZZZZ', 'Ann')
  socket.answer('unknown-room', 'There is no room ZZZZZZ.')
  await assert.rejects(entered, { code: 'unknown-room' })
  assert.equal(session.room.value, null)
})

test('an entry is rejected when another one or leaving overtakes it', async (context) => {
  const { session, sockets } = connected(context)
  const first = session.enter('KQXWVD', 'Ann')
  const second = session.enter('ZZZZZZ', 'Ann')
  await assert.rejects(first, { code: 'overtaken' })
  session.stepOut()
  await assert.rejects(second, { code: 'overtaken' })
  assert.deepEqual([...pluck(sockets, 'named'), ...pluck(sockets, 'closed')], ['KQXWVD', 'ZZZZZZ', true, true])
  const third = session.watch('ZZZZZZ', 'Ann')
  session.stepOut()
  await assert.rejects(third, { code: 'overtaken' })
})

for (const isAnswered of [true, false]) {
  test(`a created room is entered after a break, ${isAnswered ? 'with' : 'without'} the answer`, async (context) => {
    const { session, sockets, socket } = connected(context)
    const created = session.create('Ann', { game: 'maria' })
    assert.deepEqual(socket.asked, [['create', 1, 'Ann', { game: 'maria' }, false, null, '', 7, '']])
    socket.receive('room', 'e1', 1, 1, VIEW)
    if (isAnswered) socket.answer()
    else socket.onclose({ code: 1006 })
    assert.equal(await created, 'KQXWVD')
    if (isAnswered) socket.onclose({ code: 1006 })
    session.wake()
    sockets[1].welcome(true)
    assert.deepEqual(sockets[1].asked, [['join', 2, 'KQXWVD', 'Ann', ['e1', 1, 0, 1], false, '', '', 7]])
  })
}

/** Ann has created a room on a connection that names no room. @param {TestContext} context */
async function created(context) {
  const it = connected(context, '')
  const creating = it.session.create('Ann', { game: 'maria' })
  enters(it.socket)
  await creating
  return it
}

test('after creating a room, the client moves to a connection that names it', async (context) => {
  const { session, sockets, socket } = await created(context)
  assert.deepEqual(pluck(sockets, 'named'), ['', 'KQXWVD'])
  /** @type {any[]} */
  const seen = []
  context.after(effect(() => void seen.push([session.connection.value.is, session.view.value?.code])))
  const asked = session.ask('settings', { game: 'lucas' })
  assert.equal(socket.asked.at(-1)[0], 'create', 'commands wait')
  sockets[1].welcome(true)
  assert.equal(socket.closed, true)
  enters(sockets[1])
  await settle()
  assert.equal(
    JSON.stringify(sockets[1].asked),
    '[["join",3,"KQXWVD","Ann",["e1",1,0,3],false,"","",7],["settings",2,{"game":"lucas"}]]',
  )
  sockets[1].answer()
  await asked
  assert.equal(session.lostAt.value, null)
  assert.ok(
    seen.every(([is, code]) => is === 'open' && code === 'KQXWVD'),
    'the player sees nothing of this',
  )
})

test('if the second connection fails, the first one continues', async (context) => {
  const { session, sockets, socket } = await created(context)
  const asked = session.ask('settings', { game: 'lucas' })
  sockets[1].onclose({ code: 1006 })
  socket.answer()
  await settle()
  assert.equal(joined(socket.asked.slice(-2).map(([tag, c]) => [tag, c].join())), 'join,3 settings,2')
  socket.answer()
  await asked
})

test('if one process serves all rooms, the client stays on its connection', async (context) => {
  const { session, sockets, socket } = connected(context, '')
  socket.welcome(false)
  const creating = session.create('Ann', { game: 'maria' })
  enters(socket)
  await creating
  const entered = session.enter('QWERTZ', 'Ann')
  assert.deepEqual(socket.asked.at(-1), ['join', 2, 'QWERTZ', 'Ann', null, false, '', '', 7])
  enters(socket, 'QWERTZ')
  await entered
  assert.equal(sockets.length, 1)
})

test('the client stays if another player has already entered the new room', async (context) => {
  const { session, sockets, socket } = connected(context, '')
  const creating = session.create('Ann', { game: 'maria' })
  enters(socket, VIEW.code, { ...VIEW.people, 2: { name: 'Bob', here: true } })
  await creating
  assert.equal(sockets.length, 1)
})

test('a room is entered on a connection that names it', async (context) => {
  const { session, sockets, socket } = connected(context, '')
  const entered = session.enter('KQXWVD', 'Ann')
  assert.deepEqual(socket.asked, [])
  sockets[1].welcome(true)
  enters(sockets[1])
  await entered
  assert.deepEqual([sockets[1].named, sockets[1].asked], ['KQXWVD', [['join', 1, 'KQXWVD', 'Ann', null, false, '', '', 7]]])
})

test('after a break the client returns to its room and sends what has no answer', async (context) => {
  const { session, sockets, socket } = await seated(context)
  socket.receive('board', 1, START, [])
  await settle()
  assert.deepEqual([session.play('9-F'), session.play('2-1')], [true, true])
  socket.receive('moved', 1, 1, '9-F', '')
  await settle()
  const chat = session.chat('hello')
  socket.onclose({ code: 1006 })
  assert.equal(session.connection.value.is, 'lost')
  session.wake()
  sockets[1].welcome(true)
  assert.deepEqual(sockets[1].fieldsOf('join'), [['KQXWVD', 'Ann', ['e1', 1, 1, 3], false, '', '', 7]])
  enters(sockets[1])
  await settle()
  const [, line, move] = sockets[1].asked
  assert.deepEqual([line[0], line[3]], ['chat', 'hello'])
  assert.deepEqual(move, ['move', 1, 1, '2-1'])
  sockets[1].receive('ok', line[1])
  await chat
})

test('after a gap in the own log, the client reconnects to get the whole log', async (context) => {
  const { session, socket } = await seated(context)
  socket.receive('board', 1, START, [])
  socket.receive('moved', 1, 2, '2-1', '')
  await settle()
  assert.equal(session.connection.value.is, 'lost')
})

test('a removed player is in no room, and the page continues', async (context) => {
  const { session, socket } = await seated(context)
  socket.onclose({ code: 4002 })
  assert.equal(session.room.value, null)
  assert.deepEqual([session.gone.value?.code, session.connection.value.is], ['kicked', 'connecting'])
})

test('of progress only the latest counts, and a new race starts with none', async (context) => {
  const { session, socket } = await seated(context)
  const rows = () => {
    const all = Object.entries(session.progress.value.rows)
    return joined(all.map(([seat, { moves, home, stock }]) => [seat, moves, home, stock]))
  }
  for (const row of [[1, 5, 2, 60], [2, 4, 1, 61], [2, 6, 3, 60]]) socket.receive('progress', 1, [row]) // biome-ignore format: rows
  assert.equal(rows(), '1,5,2,60 2,6,3,60')
  socket.receive('board', 1, START, [])
  await settle()
  assert.equal(session.play('9-F'), true)
  assert.equal(rows(), '1,1,1,68 2,6,3,60', 'the own board knows more')
  socket.receive('progress', 2, [[2, 1, 0, 63]])
  assert.deepEqual([session.progress.value.race, rows()], [2, '2,1,0,63'], 'there is no own board yet')
})

test('a tournament is created with a plan, and entered with its password', async (context) => {
  const { session, socket } = connected(context)
  session.create('Ann', { game: 'maria' }, { format: 'swiss' }, 'sesame').catch(() => {})
  session.enter('KQXWVD', 'Bob', 'sesame').catch(() => {})
  await settle()
  assert.deepEqual(socket.fieldsOf('create'), [['Ann', { game: 'maria' }, false, { format: 'swiss' }, 'sesame', 7, '']])
  assert.deepEqual(socket.fieldsOf('join'), [['KQXWVD', 'Bob', null, false, 'sesame', '', 7]])
})

/** The race of a countdown that waits for the number with this commitment. @param {string} commitment */
const counting = (commitment) => ({ starts_at: 1, commitment: 'aa', commitments: { 1: commitment } })

test('a client whose process cannot save moves to one that can, and stays if there is none', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const answers = [false, true, false]
  /** @type {string[]} */
  const asked = []
  const { session, sockets, socket } = connected(context, 'KQXWVD', async (code) => {
    asked.push(code)
    return answers[asked.length - 1]
  })
  const moments = async (/** @type {number} */ ms) => {
    context.mock.timers.tick(ms)
    for (let turn = 0; turn < 9; turn++) await null
  }
  session.enter('KQXWVD', 'Ann')
  enters(socket)
  await moments(0)
  socket.receive('notice', 'store-down', '')
  await moments(6000)
  assert.deepEqual([asked.length, sockets.length], [1, 1])
  await moments(6000)
  await moments(200)
  sockets[1].welcome(true)
  assert.equal(sockets[1].asked[0][0], 'join')
  enters(sockets[1])
  await moments(0)
  await moments(20_000)
  assert.deepEqual([asked, session.notice.value], [['KQXWVD', 'KQXWVD'], null])
})

test('"ready" commits to a number, and the countdown gets it once', async (context) => {
  const { session, socket } = await seated(context)
  session.ready()
  const [tag, , commitment] = await askedWithNumber(socket)
  // fortythieves.rules.deal.nonce_commitment(bytes.fromhex("ab" * 16))
  assert.deepEqual([tag, commitment], ['ready', '2a8e870759cdd679c13516a11b63646fa01f3ecf3ef1ce6c11c3437426460806'])
  socket.receive('patch', 4, { race: counting(commitment) })
  socket.receive('patch', 5, {})
  assert.deepEqual(socket.fieldsOf('reveal'), [['ab'.repeat(16)]])
})

test('the number is resent after a passing refusal, but not if it is too late', async (context) => {
  const { session, socket } = await seated(context)
  session.ready()
  const [, , commitment] = await askedWithNumber(socket)
  socket.receive('patch', 4, { race: counting(commitment) })
  socket.answer('store-down', '')
  while (socket.fieldsOf('reveal').length < 2) await settle()
  socket.answer('reveal-late', '')
  await settle()
  socket.receive('patch', 5, {})
  assert.equal(socket.fieldsOf('reveal').length, 2)
})

test('after a race the number is for the next one', async (context) => {
  const { session, socket } = await seated(context)
  socket.receive('patch', 4, { race: { over_at: 1 } })
  session.rematch()
  const [, , commitment] = await askedWithNumber(socket)
  socket.receive('patch', 5, { race: { over_at: null, number: 2, ...counting(commitment) } })
  assert.equal(socket.asked.at(-1)[0], 'reveal')
})

// RFC 7396, Appendix A: the target, the patch and the result.
const CASES = `{"a":"b"} {"a":"c"} {"a":"c"}
  {"a":"b"} {"b":"c"} {"a":"b","b":"c"}
  {"a":"b"} {"a":null} {}
  {"a":"b","b":"c"} {"a":null} {"b":"c"}
  {"a":["b"]} {"a":"c"} {"a":"c"}
  {"a":"c"} {"a":["b"]} {"a":["b"]}
  {"a":{"b":"c"}} {"a":{"b":"d","c":null}} {"a":{"b":"d"}}
  {"a":[{"b":"c"}]} {"a":[1]} {"a":[1]}
  ["a","b"] ["c","d"] ["c","d"]
  {"a":"b"} ["c"] ["c"]
  {"a":"foo"} null null
  {"a":"foo"} "bar" "bar"
  {"e":null} {"a":1} {"e":null,"a":1}
  [1,2] {"a":"b","c":null} {"a":"b"}
  {} {"a":{"bb":{"ccc":null}}} {"a":{"bb":{}}}`

test('patches work as in the examples of RFC 7396, and keep the target', () => {
  for (const line of CASES.split('\n')) {
    const [target, patch, result] = line
      .trim()
      .split(' ')
      .map((text) => JSON.parse(text))
    const before = structuredClone(target)
    assert.deepEqual(merge(target, patch), result, line)
    assert.deepEqual(target, before)
  }
  const target = { a: { b: 1 }, c: { d: 2 } }
  assert.equal(merge(target, { a: { b: 3 } }).c, target.c, 'unchanged parts are shared')
})

// Spectators

/** @param {TestContext} context */
async function watching(context) {
  const it = connected(context)
  const coming = it.session.watch('KQXWVD', 'Wanda')
  it.socket.receive('room', 'e1', 5, 0, { ...VIEW, race: { number: 2 } })
  it.socket.receive('watchers', 3)
  it.socket.receive('gallery', 2, 'frontier', START, [[1, [['draw', 'KH']]]])
  it.socket.receive('hidden', 2, 1)
  it.socket.answer()
  await coming
  return it
}

test('a spectator has no seat and sees the boards, and more of them', async (context) => {
  const { session, socket } = await watching(context)
  assert.deepEqual(socket.fieldsOf('watch'), [['KQXWVD', 'Wanda', '', 7, false]])
  assert.deepEqual([session.seat.value, session.watchers.value], [0, 3])
  assert.deepEqual(session.gallery.value?.logs.get(1), [['draw', 'KH']])
  assert.deepEqual(session.hidden.value, { race: 2, stock: 1 })
  socket.receive('shown', 2, [[1, 1, [['4-5', '']]]])
  assert.equal(session.gallery.value?.logs.get(1)?.length, 2)
  socket.receive('gallery', 2, 'progress', null, [])
  assert.equal(session.hidden.value, null, 'only the frontier waits for all racers')
})

test('after a gap in the boards, the client asks once for all of them', async (context) => {
  const { session, socket } = await watching(context)
  const length = () => session.gallery.value?.logs.get(1)?.length
  for (const n of [4, 5]) socket.receive('shown', 2, [[1, n, [['4-5', '']]]])
  assert.deepEqual([...socket.fieldsOf('look'), length()], [[true], 1])
  const log = ['draw', '4-5'].map((text) => [text, ''])
  socket.receive('gallery', 2, 'frontier', START, [[1, log]])
  socket.receive('shown', 2, [[1, 2, [['5-6', '']]]])
  assert.equal(length(), 3)
})

test('a removed spectator learns that the race cannot be watched', async (context) => {
  const { session, socket } = await watching(context)
  socket.onclose({ code: 4002 })
  assert.deepEqual([session.gone.value?.code, session.gallery.value], ['not-watchable', null])
})

test('the client forgets the boards of others when the player looks away', async (context) => {
  const { session, socket } = await watching(context)
  session.look(false)
  assert.deepEqual([session.gallery.value, socket.fieldsOf('look')], [null, [[false]]])
})

test('a spectator with a new name reconnects, and the page stays unchanged', async (context) => {
  const { session, sockets } = await watching(context)
  session.watchAs('Wanda')
  assert.equal(sockets.length, 1)
  session.watchAs('Eve')
  session.wake()
  sockets[1].welcome(true)
  assert.deepEqual(sockets[1].fieldsOf('watch'), [['KQXWVD', 'Eve', '', 7, false]])
  assert.equal(session.gallery.value?.logs.get(1)?.length, 1)
})

test('a late spectator gets the course of the race, and then the reactions', async (context) => {
  const { session, socket } = await watching(context)
  socket.receive('history', 2, [[1, [[8120, 1]]]])
  assert.deepEqual(session.history.value, { race: 2, rows: [[1, [[8120, 1]]]] })
  socket.receive('reactions', [2, 0, 0, 1, 0, 0])
  const first = session.reactions.value
  socket.receive('reactions', [2, 0, 0, 1, 0, 0])
  assert.deepEqual(session.reactions.value, first)
  assert.deepEqual(first?.racers, [])
  assert.notEqual(session.reactions.value, first, 'the same counts are news')
  const reacting = session.ask('react', 'clap')
  assert.deepEqual(socket.fieldsOf('react'), [['clap']])
  socket.answer()
  await reacting
  session.stepOut()
  assert.deepEqual([session.history.value, session.reactions.value], [null, null])
})
