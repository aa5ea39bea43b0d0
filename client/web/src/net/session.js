/**
 * One player or spectator in one room: the state from the server as signals, and the commands as functions.
 *
 * Pages read the signals, and call the functions. `ask` sends a command of the protocol.
 */
import { batch, computed, signal } from '@preact/signals'
import { withMore } from '../model/watch/gallery.js'
import { KICKED, ROOM_GONE } from '../protocol/constants.js'
import { createCommands } from './commands.js'
import { createOwnBoard, rowOf } from './own-board.js'
import { newNonce, nonceCommitmentOf } from './own-nonce.js'
import { Refusal, wordsOfRefusals } from './refusal.js'
import { createSocket } from './socket.js'

/**
 * @import { Entry, Gallery, Hidden } from '../model/watch/gallery.js'
 * @import { Plan, Settings, ToClient, View } from '../protocol/protocol.d.ts'
 * @import { ListRow, Progress } from '../model/race/room-view.js'
 * @import { OwnBoard, Rules, Shown } from './own-board.js'
 * @import { Clock } from './server-clock.js'
 * @import { GuestToken, SocketLike, State } from './socket.js'
 * @import { Signal } from '@preact/signals'
 * @typedef {{epoch: string, n: number, seat: number, view: View}} Room
 * @typedef {{code: string, name: string, watching?: boolean, projector?: boolean, password: string, ticket?: string,
 *   resolve?: () => void, reject?: (refusal: Refusal) => void}} Target
 * @typedef {ReturnType<typeof createSession>} Session
 * @typedef {object} Numbers stores the player's own numbers until the server asks for them (`browser/deal-promises.js`).
 * @property {(view: {code: string, race: {number: number}}, commitment: string, nonce: string) => void} draw
 * @property {(view: View, seat: number) => string | null} toReveal
 * @property {(view: View, seat: number, nonce: string) => void} revealed
 */

/** How long the player can still make moves without a connection, before the page locks the board, ms. */
export const LOCK_AFTER = 2000

/** Temporary refusals that do not concern the seat, so the client retries. */
const PASSING = new Set(['store-down', 'too-fast'])
const AGAIN_AFTER = 1500
/** About how often the client asks whether another process can save, if its own one cannot, ms. */
const ELSEWHERE = 4000
/** The server waits three seconds for the number. */
const REVEAL_AGAIN = 300

/** Rejects an entry when the player has entered another room or opened another page. */
const OVERTAKEN = new Refusal('overtaken')

/**
 * `connect`: with the room's code in the URL, '': no room.
 * `isReady`: whether a process can save a room now, according to the balancer.
 * @param {{connect: (code: string) => SocketLike, clock: Clock, guestToken: GuestToken, loadRules: () => Promise<Rules>,
 *   random?: () => number, nonce?: () => string, numbers: Numbers, isReady?: (code: string) => Promise<boolean>,
 *   face: {peek: () => number}}} wiring `face`: the one that the player wants
 */
export function createSession({ connect, clock, guestToken, loadRules, random, nonce = newNonce, numbers, isReady, face }) {
  /** @type {Signal<State>} */
  const connection = signal({ is: 'off' })
  /** @type {Signal<Room | null>} */
  const room = signal(null)
  /** Progress from the server, perhaps without own moves. @type {Signal<{race: number, rows: Record<string, Progress>}>} */
  const rivals = signal({ race: 0, rows: {} })
  /** Why the player is no longer in the room. @type {Signal<Refusal | null>} */
  const gone = signal(null)
  /** The last notice of the server. @type {Signal<Refusal | null>} */
  const notice = signal(null)
  /** While there is no connection: the local time at which it was lost. @type {Signal<number | null>} */
  const lostAt = signal(null)
  /** The player's own board, ready to show. @type {Signal<Shown | null>} */
  const shown = signal(null)
  /** Whether a move of the player waits for the server's answer. */
  const waiting = signal(false)
  /** Why the server refused a move of the player. @type {Signal<Refusal | null>} */
  const refused = signal(null)
  /** For spectators: the racers' boards. @type {Signal<Gallery | null>} */
  const gallery = signal(null)
  /** For spectators: how many cards all racers have drawn, if this limits the visible moves. @type {Signal<Hidden | null>} */
  const hidden = signal(null)
  /**
   * The course of the race before the spectator arrived.
   * @type {Signal<{race: number, rows: [seat: number, points: [ms: number, home: number][]][]} | null>}
   */
  const history = signal(null)
  /** The latest reactions, a new object each time; of racers the seat and the sign. @type {Signal<{counts: number[], racers: readonly [number, number][]} | null>} */
  const reactions = signal(null)
  /** The number of spectators. */
  const watchers = signal(0)
  /** For the host: suspicious facts of finished races, by race number. @type {Signal<Map<number, {shared: number[][], onlyDrew: number[]}>>} */
  const reviews = signal(new Map())
  /** The code of the challenge that the player has opened. */
  const challenged = signal('')
  /** In a challenge: the player's own try. @type {Signal<{number: number, code: string, place: number | null} | null>} */
  const ownTry = signal(null)
  /** For a host: the entry list, after `show_list`. @type {Signal<ListRow[]>} */
  const entryList = signal([])

  /** A seated player watches the others' boards, so the client must request them after each reconnect. */
  let looking = false
  /** A gap was found and a full snapshot requested. Ignore deltas until it arrives. */
  let lookedAgain = false

  /** The room that the player wants to be in. @type {Target | null} */
  let target = null
  /** The room in the URL of the connection. */
  let named = ''
  /** Whether several processes serve rooms. The room in the URL then selects the process. */
  let isSeveral = false
  /** Asks again whether another process can save. @type {any} */
  let seeking
  /** The room that the player will probably enter. */
  let likely = ''
  /** @type {OwnBoard | null} */
  let ownBoard = null
  /** The player's own number that the client has sent to the server. @type {string | null} */
  let revealing = null
  /** Handles messages about the board in order, once the rules are loaded. @type {Promise<unknown>} */
  let boardWork = Promise.resolve()

  /** The progress of all seats, for the player's own seat with the pending moves. */
  const progress = computed(() => {
    const { race, rows } = rivals.value
    const own = shown.value
    if (!own || !room.value || own.race < race) return rivals.value
    return { race: own.race, rows: { ...(own.race === race ? rows : {}), [room.value.seat]: rowOf(own) } }
  })

  const commands = createCommands((message) => socket.send(message))

  const socket = createSocket({
    connect() {
      named = target?.code || likely
      likely = ''
      return connect(named)
    },
    clock,
    guestToken,
    random,
    onState(state) {
      const wasOpen = connection.value.is === 'open'
      batch(() => {
        connection.value = state
        if (wasOpen) lostAt.value = clock.local()
      })
      if (wasOpen) {
        commands.broken()
        ownBoard?.lost()
      }
      if (state.is === 'stopped') stopped(state.code)
    },
    onOpen(several) {
      isSeveral = several ?? isSeveral
      if (target?.code) joinTarget(target)
      else arrived()
    },
    onMessage: receive,
  })

  /** Set the target, and reject an unfinished entry into the previous one. @param {Target | null} wanted @param {Refusal} why */
  function aim(wanted, why = OVERTAKEN) {
    const before = target
    target = wanted
    before?.reject?.(why)
  }

  function arrived() {
    lostAt.value = null
    commands.open()
    ownBoard?.resend()
  }

  /** Enter a room. If several processes serve rooms, the URL must name it, to choose the process. @param {Target} wanted */
  function goTo(wanted) {
    if (connection.value.is !== 'open') return
    if (named === wanted.code || !isSeveral) return joinTarget(wanted)
    commands.hold()
    socket.move()
  }

  /** @param {Target} wanted */
  function joinTarget(wanted) {
    const back = room.value?.view.code === wanted.code ? room.value : null
    const got = ownBoard?.race === back?.view.race.number ? ownBoard?.resume : null
    /** @type {[epoch: string, race: number, moves: number, n: number] | null} */
    const resume = back && [back.epoch, ...(got ?? [back.view.race.number, 0]), back.n]
    const asked = wanted.watching
      ? commands.askNow('watch', wanted.code, wanted.name, wanted.password, face.peek(), wanted.projector ?? false)
      : commands.askNow('join', wanted.code, wanted.name, resume, false, wanted.password, wanted.ticket ?? '', face.peek())
    asked.then(
      () => {
        saved()
        wanted.ticket = '' // used up: a host may give this list entry to another player
        if (looking) look(true).catch(() => {}) // without permission the page shows the room instead
        // Earlier messages may still wait for the rules. Handle them before the pending moves are sent.
        boardWork = boardWork.then(arrived)
        wanted.resolve?.()
      },
      (refusal) => {
        if (refusal.code === 'lost' || target !== wanted) return
        // The player still has the seat. The server only cannot check it now.
        if (room.value && PASSING.has(refusal.code)) {
          setTimeout(() => target === wanted && connection.value.is === 'open' && joinTarget(wanted), AGAIN_AFTER)
          return
        }
        target = null
        if (room.value) leaveBehind(refusal)
        wanted.reject?.(refusal)
        arrived()
      },
    )
  }

  /** @param {number} code with which the server closed the connection */
  function stopped(code) {
    if (code !== KICKED && code !== ROOM_GONE) return
    leaveBehind(new Refusal(code === ROOM_GONE ? 'room-gone' : target?.watching ? 'not-watchable' : 'kicked'))
    commands.drop()
    socket.start()
  }

  /** @param {Refusal | null} why */
  function leaveBehind(why) {
    aim(null, why ?? undefined)
    batch(() => {
      ownBoard = null
      room.value = null
      shown.value = null
      waiting.value = false
      notice.value = null
      gone.value = why
      rivals.value = { race: 0, rows: {} }
      watchers.value = 0
      reactions.value = null
      reviews.value = new Map()
      entryList.value = []
      ownTry.value = null
      lookAway()
    })
  }

  function lookAway() {
    looking = false
    lookedAgain = false
    gallery.value = null
    hidden.value = null
    history.value = null
  }

  /** @param {boolean} on */
  const look = (on) => commands.ask('look', on)

  /** @param {ToClient} message */
  function receive(message) {
    switch (message[0]) {
      case 'ok':
      case 'refused':
        return commands.answered(message)
      case 'board':
      case 'moved':
      case 'unmoved':
        boardWork = boardWork.then(() => boardMessage(message)).catch(broken)
        return
      case 'room': {
        const [, epoch, n, seat, view, now] = message
        clock.reached(now)
        room.value = { epoch, n, seat, view }
        if (target) target.code = view.code
        return reveal()
      }
      case 'patch':
        clock.reached(message[3])
        if (room.value) room.value = { ...room.value, n: message[1], view: merge(room.value.view, message[2]) }
        return reveal()
      case 'progress':
        return progressed(message[1], message[2])
      case 'gallery': {
        const [, race, policy, start, logs] = message
        lookedAgain = false
        gallery.value = { race, policy, start, logs: new Map(logs) }
        if (policy !== 'frontier') hidden.value = null
        return
      }
      case 'shown':
        return shownMore(message[1], message[2])
    }
    // The others only set a signal.
    if (message[0] === 'hidden') hidden.value = { race: message[1], stock: message[2] }
    else if (message[0] === 'history') history.value = { race: message[1], rows: message[2] }
    else if (message[0] === 'reactions') reactions.value = { counts: message[1], racers: message[2] ?? [] }
    else if (message[0] === 'watchers') watchers.value = message[1]
    else if (message[0] === 'challenged') challenged.value = message[1]
    else if (message[0] === 'own_try') ownTry.value = { number: message[1], code: message[2], place: message[3] }
    else if (message[0] === 'entry_list') entryList.value = message[1]
    else if (message[0] === 'notice') {
      notice.value = new Refusal(message[1], message[2])
      if (message[1] === 'store-down' && isSeveral) seek()
      else if (message[1] === 'store-back') saved()
    } else if (message[0] === 'reviewed') {
      const [, race, shared, onlyDrew] = message
      reviews.value = new Map(reviews.value).set(race, { shared, onlyDrew })
    }
  }

  /** The process cannot save: reconnect as soon as the balancer knows another one that can. */
  function seek() {
    clearTimeout(seeking)
    const ask = async () => {
      const asked = seeking
      const isElsewhere = target && (await isReady?.(target.code))
      if (asked !== seeking) return
      if (isElsewhere) socket.renew()
      else seek()
    }
    seeking = setTimeout(ask, ELSEWHERE * (0.5 + Math.random()))
  }

  function saved() {
    clearTimeout(seeking)
    seeking = undefined
    if (notice.value?.code === 'store-down') notice.value = null
  }

  /** Draw a number for the next race and return the commitment to it. `reveal` sends the number later. */
  async function commitment() {
    const drawn = nonce()
    const committed = await nonceCommitmentOf(drawn)
    if (!room.value) return ''
    const { code, race } = room.value.view
    numbers.draw({ code, race: { number: race.number + (race.over_at == null ? 0 : 1) } }, committed, drawn)
    return committed
  }

  /** Send the player's own number when the countdown waits for it. */
  function reveal() {
    if (!room.value) return
    const { view, seat } = room.value
    const nonce = numbers.toReveal(view, seat)
    if (!nonce || nonce === revealing) return
    revealing = nonce
    ask('reveal', nonce).then(
      () => numbers.revealed(view, seat, nonce),
      ({ code }) => {
        // Any other refusal means too late: the server deals without the number. The page shows this after the race.
        if (!PASSING.has(code)) return
        revealing = null
        setTimeout(reveal, REVEAL_AGAIN)
      },
    )
  }

  /** The rules did not load. This happens if the server was updated while the page was open. @param {unknown} error */
  function broken(error) {
    console.error(error)
    notice.value = new Refusal('reload')
  }

  /** @param {number} race @param {[number, number, number, number][]} changed */
  function progressed(race, changed) {
    const rows = race === rivals.value.race ? { ...rivals.value.rows } : {}
    for (const [seat, moves, home, stock] of changed) rows[seat] = { moves, home, stock }
    rivals.value = { race, rows }
  }

  /** @param {number} race @param {[number, number, Entry[]][]} rows */
  function shownMore(race, rows) {
    if (!gallery.value || lookedAgain) return
    const more = withMore(gallery.value, race, rows)
    if (more) gallery.value = more
    else {
      lookedAgain = true
      look(true).catch(() => {})
    }
  }

  /** @param {Extract<ToClient, ['board' | 'moved' | 'unmoved', ...any]>} message */
  async function boardMessage(message) {
    const rules = await loadRules()
    if (!room.value) return
    if (message[0] === 'board') {
      const [, race, start, moves] = message
      refused.value = null
      ownBoard ??= createOwnBoard(rules, {
        send: (race, n, text) => socket.send(['move', race, n, text]),
        onShown: (now) => (shown.value = now),
        onWaiting: (waits) => (waiting.value = waits),
        // The page shows the refusal once, so wait for its text.
        onRefused: (why) => wordsOfRefusals().then(() => (refused.value = why)),
      })
      return ownBoard.begin(race, room.value.view.settings.game, start, moves)
    }
    if (message[0] === 'unmoved') {
      const [, race, n, , code, text, parameters] = message
      return ownBoard?.unmoved(race, n, new Refusal(code, text, parameters))
    }
    const [, race, n, text, revealed] = message
    if (ownBoard?.moved(race, n, text, revealed) === false) socket.renew() // an entry is missing: get the whole log
  }

  const { ask } = commands

  /** Enter a room as a player or a spectator. @param {Target} wanted @returns {Promise<void>} */
  function enter(wanted) {
    gone.value = null
    return new Promise((resolve, reject) => {
      const entering = { ...wanted, resolve, reject }
      aim(entering)
      goTo(entering)
    })
  }

  return {
    ...{ connection, lostAt, clock, room, gone, notice, shown, waiting, refused, rivals, progress, entryList },
    ...{ gallery, hidden, history, reactions, watchers, reviews, challenged, ownTry },
    view: computed(() => room.value?.view ?? null),
    seat: computed(() => room.value?.seat ?? 0),
    isHost: computed(() => room.value !== null && room.value.view.host === room.value.seat),

    /** @param {string} [code] of the room that the player will probably enter */
    start(code = '') {
      likely = code
      socket.start()
    },
    wake: (/** @type {{network?: boolean}} */ what = {}) => socket.wake(what),
    close() {
      clearTimeout(seeking)
      socket.stop()
    },
    /** Take the seat back from another tab. */
    useHere: () => socket.start(),

    /**
     * @param {string} name @param {Partial<Settings>} settings @param {Partial<Plan> | null} [plan] of a tournament
     * @param {string} [password] that a tournament asks for
     * @returns {Promise<string>} the code of the room
     */
    async create(name, settings, plan = null, password = '', circle = '') {
      gone.value = null
      const wanted = { code: '', name, password: '' } // known when the room arrives
      aim(wanted)
      try {
        await ask('create', name, settings, false, plan, password, face.peek(), circle)
      } catch (refusal) {
        // The server may have created the room before the connection broke.
        if (!wanted.code) {
          if (target === wanted) target = null
          throw refusal
        }
      }
      // Another process may be the right one for this room. While the host is alone, a move disturbs no player.
      const isAlone = target === wanted && Object.keys(room.value?.view.people ?? {}).length === 1
      if (isSeveral && isAlone && named !== wanted.code) goTo(wanted)
      return wanted.code
    },

    /**
     * Take a seat in a room, or return to it.
     * @param {string} code @param {string} name @param {string} [password] of a tournament
     * @param {string} [ticket] of a personal link: the name is then the one on the entry list
     */
    enter: (code, name, password = '', ticket = '') => enter({ code, name, password, ticket }),

    /**
     * Enter a room as a spectator.
     * @param {string} code @param {string} name @param {string} [password] of a tournament
     * @param {boolean} [projector] only see what racers may know
     */
    watch: (code, name, password = '', projector = false) => enter({ code, name, watching: true, projector, password }),

    /** Change the spectator's name. The client reconnects, and the page stays unchanged. @param {string} name */
    watchAs(name) {
      if (!target?.watching || target.name === name) return
      target = { ...target, name }
      socket.renew()
    },

    /** From a seat: start or stop to watch the others' boards. @param {boolean} on */
    async look(on) {
      if (on) looking = true
      else lookAway()
      await look(on)
    },

    async leave() {
      await ask('leave')
      leaveBehind(null)
    },

    /** Go out of the room, but keep the seat. */
    stepOut() {
      if (!target && !room.value) return
      leaveBehind(null)
      commands.drop()
      socket.renew()
    },

    ready: async () => ask('ready', await commitment()),
    rematch: async () => ask('rematch', await commitment()),
    chat: (/** @type {string} */ text) => ask('chat', newNonce(), text),
    forgetList() {
      entryList.value = []
    },

    /** Any other command, by its name and fields in the protocol. */
    ask,

    /** Make a move on the player's own board, which shows it immediately. @param {string} text */
    play(text) {
      refused.value = null
      return ownBoard?.play(text) ?? false
    },
  }
}

// JSON merge patches, RFC 7396: a null deletes its key, an object is merged, any other value replaces the old one.

/** @typedef {{[key: string]: any}} Json */

/** @param {unknown} value @returns {value is Json} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A patched copy, which shares unchanged parts. @param {unknown} target @param {unknown} patch @returns {any} */
export function merge(target, patch) {
  if (!isObject(patch)) return patch
  const merged = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key], value)
  }
  return merged
}
