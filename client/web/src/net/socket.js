/**
 * One WebSocket, kept alive: it sends hello, stores the guest token, measures the clock, detects a dead connection and
 * reconnects.
 *
 * It knows nothing about rooms. The caller gets `onOpen` after every welcome and must then join its room.
 */
import { decode, encode } from '@msgpack/msgpack'
import { VERSION } from '../protocol/constants.js'
import { afterClosing, pauseBefore, SPREAD } from './close-codes.js'

/**
 * @import { ToClient, ToServer } from '../protocol/protocol.d.ts'
 * @import { Clock } from './server-clock.js'
 * @typedef {{is: 'off' | 'connecting' | 'open'} | {is: 'lost' | 'stopped', code: number}} State
 * @typedef {{get(): string | null, set(token: string | null): void}} GuestToken
 * @typedef {{binaryType: string, readyState: number, send: (data: any) => void, close: (code?: number) => void,
 *   onopen: any, onmessage: any, onclose: any}} SocketLike the used part of `WebSocket`
 * @typedef {object} Wiring
 * @property {() => SocketLike} connect @property {Clock} clock @property {GuestToken} guestToken
 * @property {(state: State) => void} onState
 * @property {(several?: boolean) => void} onOpen after each welcome, `several`: several processes serve rooms
 * @property {(message: ToClient) => void} onMessage @property {(() => number) | undefined} [random]
 */

/** `WebSocket.OPEN`. */
const OPEN = 1

/** Quick pings after the welcome, so that the clock is exact before the first countdown. Then one every `PING_EVERY` ms. */
const FIRST_PINGS = 5
const FIRST_PINGS_EVERY = 120
const PING_EVERY = 4000
/** A ping without a pong for this long means that the connection is dead, even if the browser has not noticed it. */
const STALE_AFTER = 6000
/** After a sleep, or on another network, the connection is probably dead: detect it sooner. */
const STALE_AFTER_WAKE = 1500

/** The most message bytes in one frame. */
const PART = 16_000

/** The frames of a message: one frame, or several parts and an empty frame as the end. @param {Uint8Array} message */
function framesOf(message) {
  if (message.length <= PART) return [message]
  const frames = []
  for (let at = 0; at < message.length; at += PART) frames.push(encode(message.subarray(at, at + PART)))
  return [...frames, encode(new Uint8Array())]
}

/** @param {Wiring} wiring */
export function createSocket({ connect, clock, guestToken, onState, onOpen, onMessage, random = Math.random }) {
  /** @type {SocketLike | null} */
  let socket = null
  /** The connection that will replace `socket`. @type {SocketLike | null} */
  let next = null
  /** @type {State} */
  let state = { is: 'off' }
  /** @type {{next?: any, retry?: any, ping?: any, stale?: any}} */
  const timers = {}
  let attempt = 0
  /** The local times of unanswered pings, oldest first. @type {number[]} */
  let pinged = []
  let lastPing = 0

  /** @param {State} next */
  function become(next) {
    state = next
    onState(next)
  }

  /** False: the socket is already closing, but `onclose` has not run yet. @param {ToServer} message */
  function post(message) {
    if (socket?.readyState !== OPEN) return false
    for (const frame of framesOf(encode(message))) socket.send(frame)
    return true
  }

  function open() {
    clearTimeout(timers.retry)
    socket = connected()
    watch(STALE_AFTER) // a handshake may hang as well
  }

  /** A new connection that sends hello. Its events count only while it is `socket` or `next`. */
  function connected() {
    const mine = connect()
    mine.binaryType = 'arraybuffer'
    mine.onopen = () => (socket === mine || next === mine) && mine.send(encode(['hello', VERSION, guestToken.get()]))
    mine.onmessage = (/** @type {{data: any}} */ event) => {
      if (typeof event.data === 'string') return
      if (next === mine) moved()
      if (socket !== mine) return
      const message = decode(event.data)
      if (Array.isArray(message)) receive(/** @type {ToClient} */ (message))
    }
    mine.onclose = (/** @type {{code: number}} */ event) => {
      if (socket === mine) closed(event.code)
      else if (next === mine) stayed()
    }
    return mine
  }

  /** The server has answered on the next connection: it replaces the old one. */
  function moved() {
    const before = socket
    hangUp()
    socket = next
    forgetNext()
    before?.close()
  }

  /** The next connection failed: keep the old one. */
  function stayed() {
    forgetNext()
    if (state.is === 'open') onOpen()
  }

  function forgetNext() {
    clearTimeout(timers.next)
    if (next !== socket) next?.close()
    next = null
  }

  /** @param {ToClient} message */
  function receive(message) {
    if (message[0] === 'pong') return ponged(message[1], message[2])
    if (message[0] === 'welcome') {
      attempt = 0
      guestToken.set(message[2])
      unwatch()
      pinged = []
      clock.forget()
      become({ is: 'open' })
      ping(FIRST_PINGS)
      return onOpen(message[5])
    }
    onMessage(message)
  }

  /** @param {number} more the number of quick pings left */
  function ping(more = 0) {
    clearTimeout(timers.ping)
    const now = Math.round(clock.local())
    lastPing = now
    pinged.push(now)
    post(['ping', now])
    watch(STALE_AFTER)
    timers.ping = setTimeout(() => ping(Math.max(0, more - 1)), more > 1 ? FIRST_PINGS_EVERY : PING_EVERY)
  }

  /** @param {number} sent @param {number} server */
  function ponged(sent, server) {
    const received = clock.local()
    if (!pinged.includes(sent)) return
    pinged = pinged.filter((time) => time > sent)
    clock.add(sent, server, received)
    unwatch()
    if (pinged.length) watch(STALE_AFTER)
  }

  /** Treat the connection as dead after `ms` of silence. Never extends a running timer. @param {number} ms */
  function watch(ms) {
    if (timers.stale !== undefined) return
    timers.stale = setTimeout(() => {
      socket?.close()
      closed(0)
    }, ms)
  }

  function unwatch() {
    clearTimeout(timers.stale)
    timers.stale = undefined
  }

  function hangUp() {
    clearTimeout(timers.ping)
    clearTimeout(timers.retry)
    unwatch()
    socket = null
  }

  /** @param {number} code */
  function closed(code) {
    hangUp()
    const next = afterClosing(code)
    if (next === 'stop') return become({ is: 'stopped', code })
    if (next === 'fresh') guestToken.set(null)
    become({ is: 'lost', code })
    if (next === 'pause') attempt = Math.max(attempt, 2)
    timers.retry = setTimeout(open, next === 'spread' ? random() * SPREAD : pauseBefore(attempt, random))
    attempt += 1
  }

  /**
   * The computer woke up, the network is back, or the user returned to the tab: reconnect now. An open connection gets a
   * shorter timeout only if it is probably dead, because a busy phone answers late.
   * @param {{network?: boolean}} [what] `network`: the network is back
   */
  function wake({ network = false } = {}) {
    if (state.is === 'lost') {
      if (socket) return // an attempt is already running
      open()
    } else if (state.is === 'open') {
      // Only a real sleep can change the offset between the clocks.
      const slept = clock.local() - lastPing > 2 * PING_EVERY
      if (slept || network) {
        unwatch()
        watch(STALE_AFTER_WAKE)
      }
      if (slept) clock.forget()
      ping(slept ? FIRST_PINGS : 0)
    }
  }

  clock.onSlept = () => {
    pinged = [] // the answers tell nothing about the clocks now
    lastPing = -Infinity // long ago
    setTimeout(wake, 0)
  }

  return {
    get state() {
      return state
    },

    /** Connect, also after a stop. */
    start() {
      if (state.is === 'off' || state.is === 'stopped') {
        attempt = 0
        become({ is: 'connecting' })
        open()
      }
    },

    /** Send a message. False: there is no connection, and nothing was sent. @param {ToServer} message */
    send(message) {
      return state.is === 'open' && post(message)
    },

    wake,

    /** Close the connection and reconnect, to get the full state. */
    renew() {
      if (state.is !== 'open') return
      forgetNext()
      socket?.close()
      closed(0)
    },

    /** Replace the open connection by a second one, which may fail. In any case `onOpen` follows. */
    move() {
      if (state.is !== 'open' || next) return
      next = connected()
      timers.next = setTimeout(stayed, STALE_AFTER)
    },

    /** Close for good. */
    stop() {
      forgetNext()
      socket?.close()
      hangUp()
      become({ is: 'off' })
    },
  }
}
