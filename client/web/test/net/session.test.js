import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from '@msgpack/msgpack'
import { effect } from '@preact/signals'
import { createPromises } from '../../src/browser/deal-promises.js'
import { createClock } from '../../src/net/server-clock.js'
import { createSession, merge } from '../../src/net/session.js'
import * as rules from '../../src/rules/rules.js'

/** @import { TestContext } from 'node:test' */

const START = ['2C3C4CTH', '2D3D4D9S', '2H3H4H8D', '2S3S4S7C', '5C6C7CKH', '5D6D7DQS', '5H6H7HJD', '5S6S7STC', '8C9CTCAS']
const VIEW = {
  code: 'KQXWVD',
  host: 1,
  settings: { game: 'maria', undo: 'turned' },
  people: { 1: { name: 'Ann', here: true } },
  race: { number: 1 },
}

/** The values that a browser stores. */
function keeping() {
  /** @type {Map<string, string | null>} */
  const kept = new Map()
  return {
    recall: (/** @type {string} */ key) => kept.get(key) ?? null,
    remember: (/** @type {string} */ key, /** @type {string | null} */ value) => void kept.set(key, value),
  }
}

/** Lets promises that can settle do so. */
const settle = () => new Promise((done) => setTimeout(done, 5))

/** The last command, after the browser has hashed a number, which takes a moment. @param {{asked: any[]}} socket */
async function askedWithNumber(socket) {
  while (!socket.asked.length) await settle()
  return socket.asked.at(-1)
}

/** @param {string} [code] of the room that the address of the first connection names */
function atTheTable(code = 'KQXWVD') {
  /** @type {any[]} */
  const sockets = []
  const session = createSession({
    connect(named) {
      const made = {
        named,
        closed: false,
        /** @type {any[]} */ said: [],
        send: (/** @type {Uint8Array} */ frame) => made.said.push(decode(frame)),
        close() {
          made.closed = true
        },
        readyState: 1,
        binaryType: '',
        /** @type {any} */ onopen: null,
        /** @type {any} */ onmessage: null,
        /** @type {any} */ onclose: null,
        hear: (/** @type {any[]} */ ...message) => made.onmessage({ data: encode(message) }),
        /** The commands, without hello and pings. */
        get asked() {
          return made.said.filter(([tag]) => tag !== 'hello' && tag !== 'ping')
        },
        /** @param {boolean} [several] */
        welcome(several = true) {
          made.onopen()
          made.hear('welcome', 1, 'token', 0, '1.0', several)
        },
      }
      sockets.push(made)
      return made
    },
    clock: createClock(),
    pass: { get: () => null, set() {} },
    loadRules: async () => rules,
    random: () => 0,
    nonce: () => 'ab'.repeat(16),
    numbers: createPromises(keeping()),
  })
  session.start(code)
  sockets[0].welcome()
  return { session, sockets }
}

/** @param {TestContext} context */
async function seated(context) {
  const it = atTheTable()
  // Timers of the connection would keep the test running.
  context.after(() => it.session.close())
  const entered = it.session.enter('KQXWVD', 'Ann')
  it.sockets[0].hear('room', 'e1', 3, 1, VIEW)
  it.sockets[0].hear('ok', 1)
  await entered
  it.sockets[0].said.length = 0
  return it
}

test('entering a room brings its view, and patches change it', async (context) => {
  const { session, sockets } = await seated(context)
  assert.equal(session.seat.value, 1)
  assert.equal(session.isHost.value, true)
  sockets[0].hear('patch', 4, { people: { 2: { name: 'Bob' } }, locked: true })
  assert.equal(session.view.value?.people[2]?.name, 'Bob')
  assert.equal(session.view.value?.people[1]?.name, 'Ann')
  assert.equal(session.view.value?.locked, true)
})

test('a room that does not let one in says why, and one is in no room', async (context) => {
  const { session, sockets } = atTheTable('ZZZZZZ')
  context.after(() => session.close())
  const entered = session.enter('ZZZZZZ', 'Ann')
  sockets[0].hear('refused', 1, 'unknown-room', 'There is no room ZZZZZZ.')
  await assert.rejects(entered, { code: 'unknown-room' })
  assert.equal(session.room.value, null)
})

test('an entering that another one overtakes is told so', async (context) => {
  const { session, sockets } = atTheTable()
  context.after(() => session.close())
  const first = session.enter('KQXWVD', 'Ann')
  const second = session.enter('ZZZZZZ', 'Ann')
  await assert.rejects(first, { code: 'overtaken' })
  session.stepOut()
  await assert.rejects(second, { code: 'overtaken' })
  assert.deepEqual(
    sockets.map(({ named, closed }) => [named, closed]),
    [
      ['KQXWVD', true],
      ['ZZZZZZ', true],
    ],
  )
  const third = session.watch('ZZZZZZ', 'Ann')
  session.stepOut()
  await assert.rejects(third, { code: 'overtaken' })
})

test('a room that came before the line broke is created, and one comes back to it', async (context) => {
  const { session, sockets } = atTheTable()
  context.after(() => session.close())
  const created = session.create('Ann', { game: 'maria' })
  sockets[0].hear('room', 'e1', 1, 1, VIEW)
  sockets[0].onclose({ code: 1006 })
  assert.equal(await created, 'KQXWVD')
  session.wake()
  sockets[1].welcome()
  assert.deepEqual(sockets[1].asked, [['join', 2, 'KQXWVD', 'Ann', null]])
})

test('creating a room is entering it', async (context) => {
  const { session, sockets } = atTheTable()
  context.after(() => session.close())
  const created = session.create('Ann', { game: 'maria' })
  assert.deepEqual(sockets[0].asked, [['create', 1, 'Ann', { game: 'maria' }]])
  sockets[0].hear('room', 'e1', 1, 1, VIEW)
  sockets[0].hear('ok', 1)
  assert.equal(await created, 'KQXWVD')
  sockets[0].onclose({ code: 1006 })
  await new Promise((done) => setTimeout(done, 120))
  sockets[1].welcome()
  assert.deepEqual(sockets[1].asked, [['join', 2, 'KQXWVD', 'Ann', null]])
})

/** @param {TestContext} context */
async function created(context) {
  const it = atTheTable('')
  context.after(() => it.session.close())
  const creating = it.session.create('Ann', { game: 'maria' })
  it.sockets[0].hear('room', 'e1', 1, 1, VIEW)
  it.sockets[0].hear('ok', 1)
  await creating
  return it
}

test('whoever has created a room comes to it by an address that names it, and sees nothing of that', async (context) => {
  const { session, sockets } = await created(context)
  assert.deepEqual(
    sockets.map(({ named }) => named),
    ['', 'KQXWVD'],
  )
  /** @type {any[]} */
  const lines = []
  context.after(effect(() => void lines.push([session.line.value.is, session.view.value?.code])))
  const asked = session.settings({ game: 'lucas' })
  assert.deepEqual(sockets[0].asked.at(-1)[0], 'create', 'what is asked meanwhile waits')
  sockets[1].welcome()
  assert.equal(sockets[0].closed, true)
  sockets[1].hear('room', 'e1', 2, 1, VIEW)
  sockets[1].hear('ok', 3)
  await settle()
  assert.deepEqual(sockets[1].asked, [
    ['join', 3, 'KQXWVD', 'Ann', null],
    ['settings', 2, { game: 'lucas' }],
  ])
  sockets[1].hear('ok', 2)
  await asked
  assert.equal(session.lostAt.value, null)
  assert.ok(lines.every(([is, code]) => is === 'open' && code === 'KQXWVD'))
})

test('where one process serves all rooms, creating or entering one takes no other connection', async (context) => {
  const { session, sockets } = atTheTable('')
  context.after(() => session.close())
  sockets[0].welcome(false)
  const creating = session.create('Ann', { game: 'maria' })
  sockets[0].hear('room', 'e1', 1, 1, VIEW)
  sockets[0].hear('ok', 1)
  await creating
  const entered = session.enter('QWERTZ', 'Ann')
  assert.deepEqual(sockets[0].asked.at(-1), ['join', 2, 'QWERTZ', 'Ann', null])
  sockets[0].hear('room', 'e1', 1, 1, { ...VIEW, code: 'QWERTZ' })
  sockets[0].hear('ok', 2)
  await entered
  assert.equal(sockets.length, 1)
})

test('a room that somebody else has entered by then is not left for a better connection', async (context) => {
  const { session, sockets } = atTheTable('')
  context.after(() => session.close())
  const creating = session.create('Ann', { game: 'maria' })
  sockets[0].hear('room', 'e1', 1, 1, { ...VIEW, people: { ...VIEW.people, 2: { name: 'Bob', here: true } } })
  sockets[0].hear('ok', 1)
  await creating
  assert.equal(sockets.length, 1)
})

test('if the better connection comes to nothing, the one that is there goes on', async (context) => {
  const { session, sockets } = await created(context)
  const asked = session.settings({ game: 'lucas' })
  sockets[1].onclose({ code: 1006 })
  sockets[0].hear('ok', 3)
  await settle()
  assert.deepEqual(sockets[0].asked.slice(-2), [
    ['join', 3, 'KQXWVD', 'Ann', null],
    ['settings', 2, { game: 'lucas' }],
  ])
  sockets[0].hear('ok', 2)
  await asked
})

test('a room is entered by an address that names it', async (context) => {
  const { session, sockets } = atTheTable('')
  context.after(() => session.close())
  const entered = session.enter('KQXWVD', 'Ann')
  assert.deepEqual(sockets[0].asked, [])
  sockets[1].welcome()
  sockets[1].hear('room', 'e1', 1, 1, VIEW)
  sockets[1].hear('ok', 1)
  await entered
  assert.deepEqual([sockets[1].named, sockets[1].asked], ['KQXWVD', [['join', 1, 'KQXWVD', 'Ann', null]]])
})

test('after a break one comes back to where one was, and what is not confirmed is said again', async (context) => {
  const { session, sockets } = await seated(context)
  sockets[0].hear('board', 1, START, [])
  await settle()
  assert.equal(session.play('9-F'), true)
  assert.equal(session.play('2-1'), true)
  sockets[0].hear('moved', 1, 1, '9-F', '')
  await settle()
  const chat = session.chat('hello')
  sockets[0].onclose({ code: 1006 })
  assert.equal(session.line.value.is, 'lost')
  await new Promise((done) => setTimeout(done, 120))
  sockets[1].welcome()
  const [join] = sockets[1].asked
  assert.deepEqual(join, ['join', join[1], 'KQXWVD', 'Ann', ['e1', 1, 1]])
  sockets[1].hear('room', 'e1', 9, 1, VIEW)
  sockets[1].hear('ok', join[1])
  await settle()
  const [, said, move] = sockets[1].asked
  assert.deepEqual([said[0], said[3]], ['chat', 'hello'])
  assert.deepEqual(move, ['move', 1, 1, '2-1'])
  sockets[1].hear('ok', said[1])
  await chat
})

test('a gap in one’s own log is answered by asking for everything', async (context) => {
  const { session, sockets } = await seated(context)
  sockets[0].hear('board', 1, START, [])
  sockets[0].hear('moved', 1, 2, '2-1', '')
  await settle()
  assert.equal(session.line.value.is, 'lost')
})

test('whoever is kicked is told so, and is at the door again', async (context) => {
  const { session, sockets } = await seated(context)
  sockets[0].onclose({ code: 4002 })
  assert.equal(session.room.value, null)
  assert.equal(session.gone.value?.code, 'kicked')
  assert.equal(session.line.value.is, 'connecting', 'the page goes on without the room')
})

test('the progress of a race is only the latest, and a new race begins anew', async (context) => {
  const { session, sockets } = await seated(context)
  sockets[0].hear('progress', 1, [
    [1, 5, 2, 60],
    [2, 4, 1, 61],
  ])
  sockets[0].hear('progress', 1, [[2, 6, 3, 60]])
  assert.deepEqual(session.progress.value.rows, {
    1: { moves: 5, home: 2, stock: 60 },
    2: { moves: 6, home: 3, stock: 60 },
  })
  sockets[0].hear('progress', 2, [[1, 1, 0, 63]])
  assert.deepEqual(session.progress.value, { race: 2, rows: { 1: { moves: 1, home: 0, stock: 63 } } })
})

test('one’s own progress is that of one’s board, which says more than one is told', async (context) => {
  const { session, sockets } = await seated(context)
  sockets[0].hear('progress', 1, [
    [1, 0, 0, 68],
    [2, 4, 1, 61],
  ])
  sockets[0].hear('board', 1, START, [])
  await settle()
  assert.equal(session.play('9-F'), true)
  const rival = { moves: 4, home: 1, stock: 61 }
  assert.deepEqual(session.progress.value, { race: 1, rows: { 1: { moves: 1, home: 1, stock: 68 }, 2: rival } })
  sockets[0].hear('progress', 2, [[2, 1, 0, 63]])
  const next = { moves: 1, home: 0, stock: 63 }
  assert.deepEqual(session.progress.value, { race: 2, rows: { 2: next } }, 'of that race one has no board yet')
})

test('a tournament is created with a plan, and entered with its password', async () => {
  const { session, sockets } = atTheTable()
  sockets[0].welcome()
  session.create('Ann', { game: 'maria' }, { format: 'swiss' }, 'sesame').catch(() => {})
  session.enter('KQXWVD', 'Bob', 'sesame').catch(() => {})
  await settle()
  assert.deepEqual(sockets[0].asked, [
    ['create', 1, 'Ann', { game: 'maria' }, false, { format: 'swiss' }, 'sesame'],
    ['join', 2, 'KQXWVD', 'Bob', null, false, 'sesame'],
  ])
  session.close()
})

test('a number is committed to with ready, and told when the countdown waits for it', async (context) => {
  const { session, sockets } = await seated(context)
  session.ready()
  const [tag, , commitment] = await askedWithNumber(sockets[0])
  // fortythieves.rules.deal.nonce_commitment(bytes.fromhex("ab" * 16))
  assert.deepEqual([tag, commitment], ['ready', '2a8e870759cdd679c13516a11b63646fa01f3ecf3ef1ce6c11c3437426460806'])
  const counting = { race: { starts_at: 1, commitment: 'aa', commitments: { 1: commitment } } }
  sockets[0].hear('patch', 4, counting)
  sockets[0].hear('patch', 5, {})
  const reveals = sockets[0].asked.filter((/** @type {any[]} */ [tag]) => tag === 'reveal')
  assert.deepEqual(
    reveals.map((/** @type {any[]} */ [, , nonce]) => nonce),
    ['ab'.repeat(16)],
    'once',
  )
})

test('a number that cannot be taken for now is told again, one that comes too late is not', async (context) => {
  const { session, sockets } = await seated(context)
  session.ready()
  const [, , commitment] = await askedWithNumber(sockets[0])
  sockets[0].hear('patch', 4, { race: { starts_at: 1, commitment: 'aa', commitments: { 1: commitment } } })
  const reveals = () => sockets[0].asked.filter((/** @type {any[]} */ [tag]) => tag === 'reveal')
  sockets[0].hear('refused', reveals()[0][1], 'store-down', '')
  while (reveals().length < 2) await settle()
  sockets[0].hear('refused', reveals()[1][1], 'reveal-late', '')
  await settle()
  sockets[0].hear('patch', 5, {})
  assert.equal(reveals().length, 2)
})

test('after a race the number is for the next one', async (context) => {
  const { session, sockets } = await seated(context)
  sockets[0].hear('patch', 4, { race: { over_at: 1 } })
  session.rematch()
  const [, , commitment] = await askedWithNumber(sockets[0])
  sockets[0].hear('patch', 5, {
    race: { over_at: null, number: 2, starts_at: 1, commitment: 'aa', commitments: { 1: commitment } },
  })
  assert.equal(sockets[0].asked.at(-1)[0], 'reveal')
})

// RFC 7396, Appendix A.
const CASES = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

test('the examples of RFC 7396 hold', () => {
  for (const [target, patch, result] of CASES) assert.deepEqual(merge(target, patch), result)
})

test('the target stays as it was, and what the patch does not name is shared', () => {
  const target = { a: { b: 1 }, c: { d: 2 } }
  const merged = merge(target, { a: { b: 3 } })
  assert.deepEqual(target, { a: { b: 1 }, c: { d: 2 } })
  assert.equal(merged.c, target.c)
})
