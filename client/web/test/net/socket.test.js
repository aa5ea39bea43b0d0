import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from '@msgpack/msgpack'
import { createClock } from '../../src/net/server-clock.js'
import { createSocket } from '../../src/net/socket.js'

/** @import { Command } from '../../src/protocol/protocol.d.ts' */

/** A network and a clock that only the test moves. */
function world() {
  let now = 0
  /** @type {{at: number, run: () => void}[]} */
  let timers = []
  /** @type {any[]} */
  const sockets = []
  /** @type {string[]} */
  const states = []
  /** @type {any[]} */
  const heard = []
  /** @type {string | null} */
  let token = 'old'
  const socket = createSocket({
    connect() {
      const made = {
        /** @type {any[]} */ said: [],
        closed: false,
        send: (/** @type {Uint8Array} */ frame) => made.said.push(decode(frame)),
        close() {
          made.closed = true
          made.readyState = 2
        },
        hear: (/** @type {any[]} */ message) => made.onmessage({ data: encode(message) }),
        welcome: () => {
          made.onopen()
          made.hear(['welcome', 1, 'new', now, '1.0'])
        },
        /** @type {any} */ onopen: null,
        /** @type {any} */ onmessage: null,
        /** @type {any} */ onclose: null,
        binaryType: '',
        readyState: 1,
      }
      sockets.push(made)
      return made
    },
    clock: createClock(() => now),
    pass: { get: () => token, set: (value) => (token = value) },
    onState: (state) => states.push(state.is),
    onOpen: () => heard.push('open'),
    onMessage: (message) => heard.push(message),
    random: () => 1,
    setTimeout: (run, ms) => {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return timer
    },
    clearTimeout: (timer) => (timers = timers.filter((other) => other !== timer)),
  })
  return {
    socket,
    sockets,
    states,
    heard,
    get token() {
      return token
    },
    /** @param {number} ms */
    pass(ms) {
      const end = now + ms
      for (;;) {
        const [next] = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter((other) => other !== next)
        now = next.at
        next.run()
      }
      now = end
    },
  }
}

function connected() {
  const it = world()
  it.socket.start()
  it.sockets[0].welcome()
  return it
}

test('the first message says hello with the guest pass, and the welcome brings a fresh one', () => {
  const it = connected()
  assert.deepEqual(it.sockets[0].said[0], ['hello', 1, 'old'])
  assert.equal(it.token, 'new')
  assert.deepEqual(it.heard, ['open'])
  assert.deepEqual(it.states, ['connecting', 'open'])
})

test('several pings follow the welcome at once', () => {
  const it = connected()
  it.pass(700)
  assert.equal(it.sockets[0].said.filter((/** @type {any[]} */ [tag]) => tag === 'ping').length, 5)
})

test('a line that closes is opened again, at once and then less and less often', () => {
  const it = connected()
  it.sockets[0].onclose({ code: 1006 })
  it.pass(200)
  assert.equal(it.sockets.length, 2)
  it.sockets[1].onclose({ code: 1006 })
  it.pass(499)
  assert.equal(it.sockets.length, 2)
  it.pass(1)
  assert.equal(it.sockets.length, 3)
  for (let i = 2; i < 40; i += 1) {
    it.sockets[i].onclose({ code: 1006 })
    it.pass(8000)
    assert.equal(it.sockets.length, i + 2, 'it never gives up')
  }
})

test('whom a server that restarts sends away comes back some time within a second, and not with all others', () => {
  const it = connected()
  it.sockets[0].onclose({ code: 1012 })
  it.pass(999)
  assert.equal(it.sockets.length, 1)
  it.pass(1)
  assert.equal(it.sockets.length, 2)
})

test('a ping without a pong means a dead line', () => {
  const it = connected()
  it.pass(5999)
  assert.equal(it.sockets[0].closed, false)
  it.pass(1)
  assert.equal(it.sockets[0].closed, true)
  assert.equal(it.states.at(-1), 'lost')
})

test('a line that answers is left alone', () => {
  const it = connected()
  for (let second = 0; second < 60; second += 1) {
    it.pass(1000)
    for (const [tag, t] of it.sockets[0].said.splice(0)) if (tag === 'ping') it.sockets[0].hear(['pong', t, 0])
  }
  assert.equal(it.sockets.length, 1)
})

test('waking up ends the pause', () => {
  const it = connected()
  it.sockets[0].onclose({ code: 1006 })
  it.pass(200)
  it.sockets[1].onclose({ code: 1006 })
  it.socket.wake()
  assert.equal(it.sockets.length, 3)
})

test('a connection that is dead on a new network is found out quickly', () => {
  const it = connected()
  it.socket.wake({ network: true })
  it.pass(1500)
  assert.equal(it.states.at(-1), 'lost')
})

test('a connection is not given up sooner because the tab is looked at again', () => {
  const it = connected()
  it.socket.wake()
  it.pass(5900)
  assert.equal(it.states.at(-1), 'open')
  it.pass(100)
  assert.equal(it.states.at(-1), 'lost')
})

test('a seat that moved to another tab stays there until it is asked for', () => {
  const it = connected()
  it.sockets[0].onclose({ code: 4001 })
  it.pass(60_000)
  assert.equal(it.sockets.length, 1)
  assert.deepEqual(it.socket.state, { is: 'stopped', code: 4001 })
  it.socket.start()
  assert.equal(it.sockets.length, 2)
})

test('a guest pass that is not accepted is thrown away', () => {
  const it = world()
  it.socket.start()
  it.sockets[0].onopen()
  it.sockets[0].onclose({ code: 4003 })
  it.pass(200)
  it.sockets[1].onopen()
  assert.deepEqual(it.sockets[1].said[0], ['hello', 1, null])
})

test('a plan that is too long for a frame goes out in parts, with an empty one after them', () => {
  const it = connected()
  const before = it.sockets[0].said.length
  const plan = /** @type {Command} */ (['plan', 1, { listed: Array(1000).fill('W'.repeat(24)) }])
  assert.equal(it.socket.send(plan), true)
  const parts = it.sockets[0].said.slice(before)
  assert.deepEqual([parts[0].length, parts.at(-1).length], [16_000, 0])
  assert.deepEqual(decode(Buffer.concat(parts)), plan)
})

test('nothing is written to a socket that is closing', () => {
  const it = connected()
  it.sockets[0].readyState = 2
  assert.equal(it.socket.send(['start', 1]), false)
})

test('what an old socket still says is not heard', () => {
  const it = connected()
  it.sockets[0].onclose({ code: 1012 })
  it.sockets[0].hear(['ok', 1])
  assert.deepEqual(it.heard, ['open'])
  assert.equal(it.socket.send(['start', 1]), false)
})

test('another connection takes the place of the one that is open, which goes on until then', () => {
  const it = connected()
  it.socket.move()
  it.sockets[0].hear(['notice', 'x', 'y'])
  assert.equal(it.socket.send(['unready', 1]), true)
  assert.deepEqual(it.sockets[0].said.at(-1), ['unready', 1])
  it.sockets[1].welcome()
  assert.equal(it.sockets[0].closed, true)
  it.sockets[0].onclose({ code: 1000 })
  assert.equal(it.socket.send(['unready', 2]), true)
  assert.deepEqual(it.sockets[1].said.at(-1), ['unready', 2])
  assert.deepEqual(it.heard, ['open', ['notice', 'x', 'y'], 'open'])
  assert.equal(it.states.includes('lost'), false)
})

test('a connection that is never answered takes no place', () => {
  const it = connected()
  it.socket.move()
  for (let i = 0; i < 4; i += 1) {
    it.pass(2000)
    it.sockets[0].hear(['pong', it.sockets[0].said.at(-1)[1], 0])
  }
  assert.equal(it.sockets[1].closed, true)
  assert.deepEqual(it.heard, ['open', 'open'])
  assert.equal(it.socket.state.is, 'open')
  it.sockets[1].welcome()
  assert.equal(it.sockets[0].closed, false)
})

test('if the connection breaks meanwhile, the other one is there already', () => {
  const it = connected()
  it.socket.move()
  it.sockets[0].onclose({ code: 1006 })
  it.sockets[1].welcome()
  it.pass(1000)
  assert.equal(it.sockets.length, 2)
  assert.deepEqual(it.heard, ['open', 'open'])
})
