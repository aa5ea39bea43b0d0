import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { decode } from '@msgpack/msgpack'
import { createClock } from '../../src/net/server-clock.js'
import { createSocket } from '../../src/net/socket.js'
import { fakeSocket } from '../helpers.js'

/** @import { TestContext } from 'node:test' */
/** @import { Command } from '../../src/protocol/protocol.d.ts' */

/** A socket, with a network and timers that only the test moves. @param {TestContext} context */
function world(context) {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  let now = 0
  let asleep = 0
  /** @type {ReturnType<typeof fakeSocket>[]} */
  const sockets = []
  /** @type {string[]} */
  const states = []
  /** @type {any[]} */
  const heard = []
  /** @type {string | null} */
  let token = 'old'
  const clock = createClock(
    () => now,
    () => now + asleep,
  )
  const socket = createSocket({
    connect: () => sockets[sockets.push(fakeSocket()) - 1],
    clock,
    guestToken: { get: () => token, set: (value) => (token = value) },
    onState: (state) => states.push(state.is),
    onOpen: () => heard.push('open'),
    onMessage: (message) => heard.push(message),
    random: () => 1,
  })
  return {
    ...{ socket, sockets, states, heard, clock, token: () => token },
    /** The computer sleeps, and its monotonic clock stands still. @param {number} ms */
    sleep(ms) {
      asleep += ms
    },
    /** @param {number} ms */
    wait(ms) {
      for (const end = now + ms; now < end; mock.timers.tick(1)) now += 1
    },
  }
}

/** @param {TestContext} context */
function connected(context) {
  const it = world(context)
  it.socket.start()
  it.sockets[0].welcome()
  return it
}

test('hello has the guest token, and the welcome brings a new one', (context) => {
  const { sockets, token, heard, states } = connected(context)
  assert.deepEqual([...sockets[0].sent[0], token()], ['hello', 1, 'old', 'new'])
  assert.deepEqual([...heard, ...states], ['open', 'connecting', 'open'])
})

test('several pings follow the welcome', (context) => {
  const { sockets, wait } = connected(context)
  wait(700)
  assert.equal(sockets[0].fieldsOf('ping').length, 5)
})

test('a broken connection is opened immediately, and then less and less often', (context) => {
  const { sockets, wait } = connected(context)
  sockets[0].onclose({ code: 1006 })
  wait(200)
  assert.equal(sockets.length, 2)
  sockets[1].onclose({ code: 1006 })
  wait(499)
  assert.equal(sockets.length, 2)
  wait(1)
  assert.equal(sockets.length, 3)
  for (let i = 2; i < 20; i += 1) {
    sockets[i].onclose({ code: 1006 })
    wait(8000)
    assert.equal(sockets.length, i + 2, 'it never gives up')
  }
})

test('after a restart of the server, the client reconnects within a second', (context) => {
  const { sockets, wait } = connected(context)
  sockets[0].onclose({ code: 1012 })
  wait(999)
  assert.equal(sockets.length, 1)
  wait(1)
  assert.equal(sockets.length, 2)
})

test('a ping without a pong means a dead connection', (context) => {
  const { sockets, states, wait } = connected(context)
  wait(5999)
  assert.equal(sockets[0].closed, false)
  wait(1)
  assert.deepEqual([sockets[0].closed, states.at(-1)], [true, 'lost'])
})

test('a connection that answers stays open', (context) => {
  const { sockets, wait } = connected(context)
  for (let second = 0; second < 60; second += 1) {
    wait(1000)
    for (const [tag, sent] of sockets[0].sent.splice(0)) if (tag === 'ping') sockets[0].receive('pong', sent, 0)
  }
  assert.equal(sockets.length, 1)
})

test('waking up ends the wait for the next attempt', (context) => {
  const { sockets, socket, wait } = connected(context)
  sockets[0].onclose({ code: 1006 })
  wait(200)
  sockets[1].onclose({ code: 1006 })
  socket.wake()
  assert.equal(sockets.length, 3)
})

test('a new network shortens the wait for a pong, a return to the tab does not', (context) => {
  const it = connected(context)
  it.socket.wake()
  it.wait(1500)
  assert.equal(it.states.at(-1), 'open')
  it.socket.wake({ network: true })
  it.wait(1500)
  assert.equal(it.states.at(-1), 'lost')
})

test('after another tab took the seat, the client waits until the player asks', (context) => {
  const { sockets, socket, wait } = connected(context)
  sockets[0].onclose({ code: 4001 })
  wait(60_000)
  assert.equal(sockets.length, 1)
  assert.deepEqual(socket.state, { is: 'stopped', code: 4001 })
  socket.start()
  assert.equal(sockets.length, 2)
})

test('a guest token that the server does not accept is deleted', (context) => {
  const { sockets, socket, wait } = world(context)
  socket.start()
  sockets[0].onopen()
  sockets[0].onclose({ code: 4003 })
  wait(200)
  sockets[1].onopen()
  assert.deepEqual(sockets[1].sent[0], ['hello', 1, null])
})

test('a message too long for a frame is sent in parts, with an empty one at the end', (context) => {
  const { sockets, socket } = connected(context)
  const before = sockets[0].sent.length
  const plan = /** @type {Command} */ (['plan', 1, { listed: Array(1000).fill('W'.repeat(24)) }])
  assert.equal(socket.send(plan), true)
  const parts = sockets[0].sent.slice(before)
  assert.deepEqual([parts[0].length, parts.at(-1).length], [16_000, 0])
  assert.deepEqual(decode(Buffer.concat(parts)), plan)
})

test('nothing is sent to a socket that is closing, and a closed one is ignored', (context) => {
  const { sockets, socket, heard } = connected(context)
  sockets[0].readyState = 2
  assert.equal(socket.send(['start', 1]), false)
  sockets[0].onclose({ code: 1012 })
  sockets[0].receive('ok', 1)
  assert.deepEqual(heard, ['open'])
  assert.equal(socket.send(['start', 1]), false)
})

test('a second connection replaces the open one, which works until then', (context) => {
  const { sockets, socket, heard, states } = connected(context)
  socket.move()
  sockets[0].receive('notice', 'x', 'y')
  assert.equal(socket.send(['unready', 1]), true)
  assert.deepEqual(sockets[0].sent.at(-1), ['unready', 1])
  sockets[1].welcome()
  assert.equal(sockets[0].closed, true)
  sockets[0].onclose({ code: 1000 })
  assert.equal(socket.send(['unready', 2]), true)
  assert.deepEqual(sockets[1].sent.at(-1), ['unready', 2])
  assert.deepEqual(heard, ['open', ['notice', 'x', 'y'], 'open'])
  assert.equal(states.includes('lost'), false)
})

test('a second connection without an answer does not replace the open one', (context) => {
  const { sockets, socket, heard, wait } = connected(context)
  socket.move()
  for (let i = 0; i < 4; i += 1) {
    wait(2000)
    sockets[0].receive('pong', sockets[0].sent.at(-1)[1], 0)
  }
  assert.equal(sockets[1].closed, true)
  assert.deepEqual([...heard, socket.state.is], ['open', 'open', 'open'])
  sockets[1].welcome()
  assert.equal(sockets[0].closed, false)
})

test('the second connection continues when the first one breaks', (context) => {
  const { sockets, socket, heard, wait } = connected(context)
  socket.move()
  sockets[0].onclose({ code: 1006 })
  sockets[1].welcome()
  wait(1000)
  assert.equal(sockets.length, 2)
  assert.deepEqual(heard, ['open', 'open'])
})

test('after a sleep, the clock is measured again, without an answer from before', (context) => {
  const { sockets, clock, sleep, wait } = connected(context)
  wait(700)
  const pings = sockets[0].fieldsOf('ping').length
  sleep(25_000)
  sockets[0].receive('pong', 700, 12_000)
  assert.deepEqual([Math.round(clock.now()), clock.error], [25_700, null])
  wait(2)
  assert.equal(sockets[0].fieldsOf('ping').length, pings + 1)
  wait(1600)
  assert.equal(sockets[0].closed, true, 'without an answer, the connection is dead')
})
