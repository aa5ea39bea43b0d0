/**
 * One player or spectator in one room: the state from the server as signals, and the commands as functions.
 *
 * Pages read the signals and call the functions. They never see a protocol message.
 */
import { batch, computed, signal } from '@preact/signals'
import { galleryOf, withMore } from '../model/watch/gallery.js'
import { KICKED, ROOM_GONE } from '../protocol/constants.js'
import { createCommands } from './commands.js'
import { createTrack, rowOf } from './own-board.js'
import { newNonce, nonceCommitmentOf } from './own-nonce.js'
import { Refusal, wordsOfRefusals } from './refusal.js'
import { createSocket } from './socket.js'

/**
 * @import { Entry, Gallery, Hidden } from '../model/watch/gallery.js'
 * @import { Plan, Settings, ToClient, View } from '../protocol/protocol.d.ts'
 * @import { Sign } from '../model/watch/reactions.js'
 * @import { ListRow } from '../model/race/room-view.js'
 * @import { Rules, Shown, Track } from './own-board.js'
 * @import { Clock } from './server-clock.js'
 * @import { SocketLike, State } from './socket.js'
 * @import { Signal } from '@preact/signals'
 */

/**
 * @typedef {{epoch: string, n: number, seat: number, view: View}} Room
 * @typedef {{moves: number, home: number, stock: number}} Progress
 * @typedef {Refusal} Told
 * @typedef {{code: string, name: string, watching?: boolean, password?: string, ticket?: string, resolve?: () => void,
 *   reject?: (refusal: Refusal) => void}} Target
 * @typedef {ReturnType<typeof createSession>} Session
 */

/** How long the player can still make moves without a connection, before the page locks the board, ms. */
export const GRACE = 2000

/** Temporary refusals that do not concern the seat, so the client retries. */
const PASSING = new Set(['store-down', 'too-fast'])
const AGAIN_AFTER = 1500
/** The server waits three seconds for the number. */
const REVEAL_AGAIN = 300

/**
 * Stores the player's own numbers until the server asks for them (`browser/deal-promises.js`).
 *
 * @typedef {object} Numbers
 * @property {(view: {code: string, race: {number: number}}, commitment: string, nonce: string) => void} draw
 * @property {(view: View, seat: number) => string | null} toReveal
 * @property {(view: View, seat: number, nonce: string) => void} revealed
 */

/** Rejects an entry when the player has entered another room or opened another page. */
const OVERTAKEN = new Refusal('overtaken')

/**
 * The password and ticket for a tournament: the last fields of `join`.
 * @param {Target} target @returns {[bot?: boolean, password?: string, ticket?: string]}
 */
function proofOf({ password = '', ticket = '' }) {
  if (ticket) return [false, password, ticket]
  return password ? [false, password] : []
}

/**
 * @param {object} wiring
 * @param {(code: string) => SocketLike} wiring.connect with the room's code in the URL, '': no room
 * @param {Clock} wiring.clock
 * @param {{get(): string | null, set(token: string | null): void}} wiring.pass
 * @param {() => Promise<Rules>} wiring.loadRules
 * @param {() => number} [wiring.random]
 * @param {() => string} [wiring.nonce]
 * @param {Numbers} wiring.numbers
 */
export function createSession({ connect, clock, pass, loadRules, random, nonce = newNonce, numbers }) {
  /** @type {Signal<State>} */
  const line = signal({ is: 'off' })
  /** @type {Signal<Room | null>} */
  const room = signal(null)
  /**
   * Progress of each seat in race `race`, as the server sends it. It may send nothing if only this player has progressed.
   * @type {Signal<{race: number, rows: Record<string, Progress>}>}
   */
  const rivals = signal({ race: 0, rows: {} })
  /** Why the player is no longer in the room. @type {Signal<Told | null>} */
  const gone = signal(null)
  /** The last notice of the server. @type {Signal<Told | null>} */
  const notice = signal(null)
  /** While there is no connection: the local time at which it was lost. @type {Signal<number | null>} */
  const lostAt = signal(null)
  /** The player's own board, ready to show. @type {Signal<Shown | null>} */
  const shown = signal(null)
  /** Whether a move of the player waits for the server's answer. */
  const waiting = signal(false)
  /** Why the server refused a move of the player. @type {Signal<import('./own-board.js').Told | null>} */
  const refused = signal(null)
  /** For spectators: the racers' boards. @type {Signal<Gallery | null>} */
  const gallery = signal(null)
  /** For spectators: how far the slowest racer is, if this limits the visible moves. @type {Signal<Hidden | null>} */
  const hidden = signal(null)
  /**
   * The course of the race before the spectator arrived.
   * @type {Signal<{race: number, rows: [seat: number, points: [ms: number, home: number][]][]} | null>}
   */
  const history = signal(null)
  /** The spectators' latest reactions, a new object each time. @type {Signal<{counts: number[]} | null>} */
  const reactions = signal(null)
  /** The number of spectators. */
  const watchers = signal(0)
  /** @type {Signal<Map<number, {shared: number[][], onlyDrew: number[]}>>} */
  const reviews = signal(new Map())
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
  /** The room that the player will probably enter. */
  let likely = ''
  /** @type {Track | null} */
  let track = null
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
    pass,
    random,
    onState(state) {
      const wasOpen = line.value.is === 'open'
      batch(() => {
        line.value = state
        if (wasOpen) lostAt.value = clock.local()
      })
      if (wasOpen) {
        commands.broken()
        track?.lost()
      }
      if (state.is === 'stopped') stopped(state)
    },
    onOpen(several) {
      isSeveral = several ?? isSeveral
      if (target?.code) joinTarget(target)
      else arrived()
    },
    onMessage: hear,
  })

  /** Set the target, and reject an unfinished entry into the previous one. @param {Target | null} wanted @param {Told} why */
  function aim(wanted, why = OVERTAKEN) {
    const before = target
    target = wanted
    before?.reject?.(why)
  }

  function arrived() {
    lostAt.value = null
    commands.open()
    track?.resend()
  }

  /**
   * Enter a room. If several processes serve rooms, the URL of the connection must name the room, so that one process serves
   * all connections of a room.
   * @param {Target} wanted
   */
  function goTo(wanted) {
    if (line.value.is !== 'open') return
    if (named === wanted.code || !isSeveral) return joinTarget(wanted)
    commands.hold()
    socket.move()
  }

  /** @param {Target} wanted */
  function joinTarget(wanted) {
    const got = track?.race === room.value?.view.race.number ? track?.resume : null
    /** @type {[epoch: string, race: number, moves: number] | null} */
    const resume = room.value && got ? [room.value.epoch, ...got] : null
    const asked = wanted.watching
      ? commands.askAtOnce('watch', wanted.code, wanted.name, ...(wanted.password ? [wanted.password] : []))
      : commands.askAtOnce('join', wanted.code, wanted.name, resume, ...proofOf(wanted))
    asked.then(
      () => {
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
          setTimeout(() => target === wanted && line.value.is === 'open' && joinTarget(wanted), AGAIN_AFTER)
          return
        }
        target = null
        if (room.value) leaveBehind(refusal)
        wanted.reject?.(refusal)
        arrived()
      },
    )
  }

  /** @param {{code: number}} state */
  function stopped({ code }) {
    if (code === KICKED || code === ROOM_GONE) {
      const shutOut = code === KICKED && target?.watching
      const told = code === ROOM_GONE ? 'room-gone' : shutOut ? 'not-watchable' : 'kicked'
      leaveBehind(new Refusal(told))
      commands.drop()
      socket.start()
    }
  }

  /** @param {Told | null} why */
  function leaveBehind(why) {
    aim(null, why ?? undefined)
    batch(() => {
      track = null
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
  function hear(message) {
    switch (message[0]) {
      case 'ok':
      case 'refused':
        return commands.answered(message)
      case 'room': {
        const [, epoch, n, seat, view] = message
        room.value = { epoch, n, seat, view }
        if (target) target.code = view.code
        return reveal()
      }
      case 'patch': {
        const [, n, patch] = message
        if (room.value) room.value = { ...room.value, n, view: merge(room.value.view, patch) }
        return reveal()
      }
      case 'progress':
        return progressed(message[1], message[2])
      case 'gallery': {
        const [, race, policy, start, logs] = message
        lookedAgain = false
        gallery.value = galleryOf(race, policy, start, logs)
        if (policy !== 'frontier') hidden.value = null
        return
      }
      case 'shown':
        return shownMore(message[1], message[2])
      case 'hidden': {
        const [, race, moves, stock] = message
        hidden.value = { race, moves, stock }
        return
      }
      case 'history':
        history.value = { race: message[1], rows: message[2] }
        return
      case 'reactions':
        reactions.value = { counts: message[1] }
        return
      case 'watchers':
        watchers.value = message[1]
        return
      case 'reviewed': {
        const [, race, shared, onlyDrew] = message
        reviews.value = new Map(reviews.value).set(race, { shared, onlyDrew })
        return
      }
      case 'entry_list':
        entryList.value = message[1]
        return
      case 'notice': {
        const [, code, said] = message
        notice.value = new Refusal(code, said)
        return
      }
      case 'board':
      case 'moved':
      case 'unmoved':
        boardWork = boardWork.then(() => boardMessage(message)).catch(broken)
    }
  }

  /** Draw a number for the next race and return the commitment to it. `reveal` sends the number later. */
  async function commitment() {
    const drawn = nonce()
    const committed = await nonceCommitmentOf(drawn)
    if (!room.value) return ''
    const { code, race } = room.value.view
    const number = race.number + (race.over_at == null ? 0 : 1)
    numbers.draw({ code, race: { number } }, committed, drawn)
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
      track ??= createTrack(rules, {
        send: (race, n, text) => socket.send(['move', race, n, text]),
        onShown: (now) => (shown.value = now),
        onWaiting: (waits) => (waiting.value = waits),
        // The page shows the refusal once, so wait for its text.
        onRefused: (why) => wordsOfRefusals().then(() => (refused.value = why)),
      })
      return track.begin(race, room.value.view.settings.game, start, moves)
    }
    if (!track) return
    if (message[0] === 'unmoved') {
      const [, race, n, , code, said, parameters] = message
      return track.unmoved(race, n, new Refusal(code, said, parameters))
    }
    const [, race, n, text, turned] = message
    if (!track.moved(race, n, text, turned)) socket.renew() // an entry is missing: get the whole log
  }

  const { ask } = commands

  return {
    line,
    clock,
    notice,
    gone,
    shown,
    waiting,
    refused,
    rivals,
    progress,
    lostAt,
    gallery,
    hidden,
    history,
    reactions,
    watchers,
    /** For the host: suspicious facts of finished races, by race number. */
    reviews,
    entryList,
    room,
    view: computed(() => room.value?.view ?? null),
    seat: computed(() => room.value?.seat ?? 0),
    isHost: computed(() => room.value !== null && room.value.view.host === room.value.seat),

    /** @param {string} [code] of the room that the player will probably enter */
    start(code = '') {
      likely = code
      socket.start()
    },
    wake: (/** @type {{network?: boolean}} */ what = {}) => socket.wake(what),
    close: () => socket.stop(),
    /** Take the seat back from another tab. */
    useHere: () => socket.start(),

    /**
     * @param {string} name @param {Partial<Settings>} settings @param {Partial<Plan> | null} [plan] of a tournament
     * @param {string} [password] that a tournament asks for
     * @returns {Promise<string>} the code of the room
     */
    async create(name, settings, plan = null, password = '') {
      gone.value = null
      const wanted = { code: '', name } // known when the room arrives
      aim(wanted)
      try {
        await (plan ? ask('create', name, settings, false, plan, password) : ask('create', name, settings))
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
     * @returns {Promise<void>}
     */
    enter(code, name, password = '', ticket = '') {
      gone.value = null
      return new Promise((resolve, reject) => {
        const wanted = { code, name, password, ticket, resolve, reject }
        aim(wanted)
        goTo(wanted)
      })
    },

    /**
     * Enter a room as a spectator.
     * @param {string} code @param {string} name @param {string} [password] of a tournament
     * @returns {Promise<void>}
     */
    watch(code, name, password = '') {
      gone.value = null
      return new Promise((resolve, reject) => {
        const wanted = { code, name, watching: true, password, resolve, reject }
        aim(wanted)
        goTo(wanted)
      })
    },

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
    unready: () => ask('unready'),
    rematch: async () => ask('rematch', await commitment()),
    startRace: () => ask('start'),
    settings: (/** @type {Partial<Settings>} */ changed) => ask('settings', changed),
    lock: (/** @type {boolean} */ locked) => ask('lock', locked),
    /** @param {number} seat @param {boolean} [hold] keep new guests of the same address out for a while, too */
    kick: (seat, hold = false) => ask('kick', seat, ...(hold ? [hold] : [])),
    /** Mute or unmute the author of a chat message. @param {number} line @param {boolean} on */
    muteLine: (line, on) => ask('mute', line, on),
    /** Remove the spectator with this chat message for good. @param {number} line @param {boolean} [hold] */
    removeLine: (line, hold = false) => ask('remove', line, ...(hold ? [hold] : [])),
    handOver: (/** @type {number} */ seat) => ask('host', seat),
    addBot: (/** @type {number} */ level) => ask('bot', level),
    chat: (/** @type {string} */ text) => ask('chat', newNonce(), text),
    rename: (/** @type {string} */ name) => ask('rename', name),
    giveUp: () => ask('give_up'),
    takeBack: () => ask('take_back'),
    /** Agree to end the race, or no longer. @param {boolean} on */
    agreeToEnd: (on) => ask('agree_to_end', on),
    /** Agree to give up if spectators wait only for this racer, or no longer. @param {boolean} on */
    standAside: (on) => ask('stand_aside', on),
    /** As the host: end it for all. */
    endRace: () => ask('end_race'),

    react: (/** @type {Sign} */ sign) => ask('react', sign),

    review: (/** @type {number} */ race) => ask('review', race),

    /**
     * In a tournament: choose a team. A host can do this for any entrant, and set the position in the team.
     * @param {number} seat @param {string} team @param {number} [board]
     */
    team: (seat, team, board = 0) => ask('team', seat, team, board),
    forgetList() {
      entryList.value = []
    },

    /** For the commands in tournament-commands.js, which only tournament pages load. */
    ask,

    /** Make a move on the player's own board, which shows it immediately. @param {string} text */
    play(text) {
      refused.value = null
      return track?.play(text) ?? false
    },
  }
}

// JSON merge patches, RFC 7396: a null deletes its key, an object is merged, any other value replaces the old one.

/** @typedef {{[key: string]: any}} Json */

/** @param {unknown} value @returns {value is Json} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Return a new object with the patch applied. It shares the unchanged parts with the target, so callers can compare by
 * identity.
 * @param {unknown} target @param {unknown} patch @returns {any}
 */
export function merge(target, patch) {
  if (!isObject(patch)) return patch
  const merged = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key], value)
  }
  return merged
}
