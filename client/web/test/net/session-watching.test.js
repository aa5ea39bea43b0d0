import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from '@msgpack/msgpack'
import { createClock } from '../../src/net/server-clock.js'
import { createSession } from '../../src/net/session.js'
import * as rules from '../../src/rules/rules.js'

const VIEW = { code: 'KQXWVD', host: 1, settings: { game: 'lucas' }, people: {}, race: { number: 2 } }
const START = ['9S4D8D', '6D8D2D']

/** A session with the test as its server. */
function watching() {
  /** @type {any[]} */
  const sockets = []
  const session = createSession({
    connect() {
      const made = {
        /** @type {any[]} */ said: [],
        send: (/** @type {Uint8Array} */ frame) => made.said.push(decode(frame)),
        close() {},
        hear: (/** @type {any[]} */ ...message) => made.onmessage({ data: encode(message) }),
        asked: (/** @type {string} */ tag) => made.said.filter((message) => message[0] === tag),
        /** @type {any} */ onopen: null,
        /** @type {any} */ onmessage: null,
        /** @type {any} */ onclose: null,
        binaryType: '',
        readyState: 1,
      }
      sockets.push(made)
      return made
    },
    clock: createClock(),
    pass: { get: () => null, set() {} },
    loadRules: async () => rules,
    numbers: { draw() {}, toReveal: () => null, revealed() {} },
  })
  session.start('KQXWVD')
  const socket = sockets[0]
  socket.onopen()
  socket.hear('welcome', 1, 'pass', 0, '1.0')
  return { session, socket, sockets, stop: () => session.close() }
}

async function inside() {
  const it = watching()
  const coming = it.session.watch('KQXWVD', 'Wanda')
  const [[, c]] = it.socket.asked('watch')
  it.socket.hear('room', 'e1', 5, 0, VIEW)
  it.socket.hear('watchers', 3)
  it.socket.hear('gallery', 2, 'frontier', START, [[1, [['draw', 'KH']]]])
  it.socket.hear('hidden', 2, 1, 1)
  it.socket.hear('ok', c)
  await coming
  return it
}

test('a watcher comes in by watch, has no seat, and is shown the boards', async () => {
  const { session, socket, stop } = await inside()
  assert.deepEqual(socket.asked('watch'), [['watch', 1, 'KQXWVD', 'Wanda']])
  assert.equal(session.seat.value, 0)
  assert.equal(session.watchers.value, 3)
  assert.deepEqual(session.gallery.value?.logs.get(1), [['draw', 'KH']])
  assert.deepEqual(session.hidden.value, { race: 2, moves: 1, stock: 1 })
  stop()
})

test('more of the boards is added', async () => {
  const { session, socket, stop } = await inside()
  socket.hear('shown', 2, [[1, 1, [['4-5', '']]]])
  assert.equal(session.gallery.value?.logs.get(1)?.length, 2)
  stop()
})

test('a gap is answered by asking for the whole, once', async () => {
  const { session, socket, stop } = await inside()
  socket.hear('shown', 2, [[1, 4, [['4-5', '']]]])
  socket.hear('shown', 2, [[1, 5, [['5-6', '']]]])
  assert.deepEqual(
    socket.asked('look').map((/** @type {any[]} */ message) => message[2]),
    [true],
  )
  assert.equal(session.gallery.value?.logs.get(1)?.length, 1)
  socket.hear('gallery', 2, 'frontier', START, [
    [
      1,
      [
        ['draw', 'KH'],
        ['4-5', ''],
      ],
    ],
  ])
  socket.hear('shown', 2, [[1, 2, [['5-6', '']]]])
  assert.equal(session.gallery.value?.logs.get(1)?.length, 3)
  stop()
})

test('another policy than the frontier forgets where the slowest is', async () => {
  const { session, socket, stop } = await inside()
  socket.hear('gallery', 2, 'progress', null, [])
  assert.equal(session.hidden.value, null)
  stop()
})

test('watchers who are sent away are told that nobody may watch any more', async () => {
  const { session, socket, stop } = await inside()
  socket.onclose({ code: 4002 })
  assert.equal(session.gone.value?.code, 'not-watchable')
  assert.equal(session.gallery.value, null)
  stop()
})

test('looking away from the others’ boards forgets them', async () => {
  const { session, socket, stop } = await inside()
  session.look(false)
  assert.equal(session.gallery.value, null)
  assert.deepEqual(
    socket.asked('look').map((/** @type {any[]} */ message) => message[2]),
    [false],
  )
  stop()
})

test('who gives a name while watching comes in anew, and the page stays as it is', async () => {
  const { session, sockets, stop } = await inside()
  session.watchAs('Wanda')
  assert.equal(sockets.length, 1)
  session.watchAs('Eve')
  session.wake()
  assert.equal(sockets.length, 2)
  sockets[1].onopen()
  sockets[1].hear('welcome', 1, 'pass', 0, '1.0')
  assert.deepEqual(
    sockets[1].asked('watch').map((/** @type {any[]} */ said) => said.slice(2)),
    [['KQXWVD', 'Eve']],
  )
  assert.equal(session.view.value?.code, 'KQXWVD')
  assert.equal(session.gallery.value?.logs.get(1)?.length, 1)
  stop()
})

test('who comes in the middle is told how the race went, and hears what others show, until going', async () => {
  const { session, socket, stop } = await inside()
  socket.hear('history', 2, [[1, [[8120, 1]]]])
  assert.deepEqual(session.history.value, { race: 2, rows: [[1, [[8120, 1]]]] })
  socket.hear('reactions', [2, 0, 0, 1, 0, 0])
  const first = session.reactions.value
  socket.hear('reactions', [2, 0, 0, 1, 0, 0])
  assert.deepEqual(session.reactions.value, first)
  assert.notEqual(session.reactions.value, first, 'the same again is news')
  const reacting = session.react('clap')
  const [[, c, sign]] = socket.asked('react')
  assert.equal(sign, 'clap')
  socket.hear('ok', c)
  await reacting
  session.stepOut()
  assert.deepEqual([session.history.value, session.reactions.value], [null, null])
  stop()
})
