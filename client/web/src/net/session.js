/**
 * One person in one room: what the server said, as signals, and what the person may do, as functions.
 *
 * The pages read the signals and call the functions; they never see a message.
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

/** Moves made while the line is down are kept for so long before the board holds still. */
export const GRACE = 2000

/** Refusals that have nothing to do with the seat, so that coming back to it is tried again. */
const PASSING = new Set(['store-down', 'too-fast'])
const AGAIN_AFTER = 1500
/** There are three seconds for it. */
const REVEAL_AGAIN = 300

/**
 * Where one's own numbers are kept until the server waits for them (`browser/deal-promises.js`).
 *
 * @typedef {object} Numbers
 * @property {(view: {code: string, race: {number: number}}, commitment: string, nonce: string) => void} draw
 * @property {(view: View, seat: number) => string | null} toReveal
 * @property {(view: View, seat: number, nonce: string) => void} revealed
 */

/** Of an entering that another one, or another page, has overtaken. */
const OVERTAKEN = new Refusal('overtaken')

/**
 * What lets one into a tournament, after the other fields of `join`.
 *
 * @param {Target} target
 * @returns {[bot?: boolean, password?: string, ticket?: string]}
 */
function proofOf({ password = '', ticket = '' }) {
  if (ticket) return [false, password, ticket]
  return password ? [false, password] : []
}

/**
 * @param {object} wiring
 * @param {(code: string) => SocketLike} wiring.connect by an address that names a room, '': none
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
   * Progress of each seat in race `race`, as the server tells it: it may say nothing of what one alone has done.
   *
   * @type {Signal<{race: number, rows: Record<string, Progress>}>}
   */
  const rivals = signal({ race: 0, rows: {} })
  /** Why the room is no longer ours. @type {Signal<Told | null>} */
  const gone = signal(null)
  /** What the server has to say to everybody. @type {Signal<Told | null>} */
  const notice = signal(null)
  /**
   * Local time of the last moment the line was up, while it is down.
   *
   * @type {Signal<number | null>}
   */
  const lostAt = signal(null)
  /** The own board as it is to be shown. @type {Signal<Shown | null>} */
  const shown = signal(null)
  /** A move of one's own waits for the server's answer. */
  const waiting = signal(false)
  /** A move of one's own was refused. @type {Signal<import('./own-board.js').Told | null>} */
  const refused = signal(null)
  /**
   * The boards of the others, while one watches.
   *
   * @type {Signal<Gallery | null>}
   */
  const gallery = signal(null)
  /** Why no more of them is shown. @type {Signal<Hidden | null>} */
  const hidden = signal(null)
  /**
   * How a race went before one came to watch it.
   *
   * @type {Signal<{race: number, rows: [seat: number, points: [ms: number, home: number][]][]} | null>}
   */
  const history = signal(null)
  /**
   * The signs of those who look on that came last; another object each time.
   *
   * @type {Signal<{counts: number[]} | null>}
   */
  const reactions = signal(null)
  /** How many people watch. */
  const watchers = signal(0)
  /** @type {Signal<Map<number, {shared: number[][], onlyDrew: number[]}>>} */
  const reviews = signal(new Map())
  /** For a host who has asked: the entry list. @type {Signal<ListRow[]>} */
  const entryList = signal([])

  /** Somebody at a seat wants to see the others' boards, so they must be asked for again after a break. */
  let looking = false
  /** A gap was noticed and the whole asked for; until it comes, what follows the gap is of no use. */
  let lookedAgain = false

  /** The room to be in, as long as one wants to be. @type {Target | null} */
  let target = null
  /** The room that the address of the connection names. */
  let named = ''
  /** Whether several processes serve rooms, each the rooms that are named in the addresses of its connections. */
  let isSeveral = false
  /** The room that one is likely to go into, before one does. */
  let likely = ''
  /** @type {Track | null} */
  let track = null
  /** One's own number that the server was told, or is being told. @type {string | null} */
  let revealing = null
  /** Messages about the board that came before the rules were loaded. @type {Promise<unknown>} */
  let boardWork = Promise.resolve()

  /** The progress of all, oneself as far as the own board is. */
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

  /** Whoever was still coming in elsewhere hears why nothing comes of it. @param {Target | null} wanted @param {Told} why */
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
   * Go into a room that one wants to be in. Where several processes serve rooms, the address of the connection has to
   * name it: then all its people are served by one of them.
   *
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
        wanted.ticket = '' // one is in by now, and a host may give the line to somebody else
        if (looking) look(true).catch(() => {}) // whoever may no longer look sees the room instead
        // What came before this answer may still wait for the rules; the pending moves are said again after it.
        boardWork = boardWork.then(arrived)
        wanted.resolve?.()
      },
      (refusal) => {
        if (refusal.code === 'lost' || target !== wanted) return
        // The seat is still ours; the server only cannot look it up right now.
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

  /** What is said of a new number of one's own for the race that comes next; the number itself is for `reveal`. */
  async function commitment() {
    const drawn = nonce()
    const committed = await nonceCommitmentOf(drawn)
    if (!room.value) return ''
    const { code, race } = room.value.view
    const number = race.number + (race.over_at == null ? 0 : 1)
    numbers.draw({ code, race: { number } }, committed, drawn)
    return committed
  }

  /** Tell one's own number as soon as the countdown waits for it. */
  function reveal() {
    if (!room.value) return
    const { view, seat } = room.value
    const nonce = numbers.toReveal(view, seat)
    if (!nonce || nonce === revealing) return
    revealing = nonce
    ask('reveal', nonce).then(
      () => numbers.revealed(view, seat, nonce),
      ({ code }) => {
        // Otherwise it came too late, and the cards are dealt without it: the end of the race says so.
        if (!PASSING.has(code)) return
        revealing = null
        setTimeout(reveal, REVEAL_AGAIN)
      },
    )
  }

  /** The rules did not load, which happens when the server was updated under an open page. @param {unknown} error */
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
        // It is shown once, so not before its words are there.
        onRefused: (why) => wordsOfRefusals().then(() => (refused.value = why)),
      })
      return track.begin(race, room.value.view.settings.game, start, moves)
    }
    if (!track) return
    if (message[0] === 'unmoved') {
      const [, race, n, , code, said, parameters] = message
      return track?.unmoved(race, n, new Refusal(code, said, parameters))
    }
    const [, race, n, text, turned] = message
    if (!track.moved(race, n, text, turned)) socket.renew() // one was missed: be told everything anew
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
    /** What stands out in races that are over, for their host, by number. */
    reviews,
    entryList,
    room,
    view: computed(() => room.value?.view ?? null),
    seat: computed(() => room.value?.seat ?? 0),
    isHost: computed(() => room.value !== null && room.value.view.host === room.value.seat),

    /** @param {string} [code] of the room that one is likely to go into */
    start(code = '') {
      likely = code
      socket.start()
    },
    wake: (/** @type {{network?: boolean}} */ what = {}) => socket.wake(what),
    close: () => socket.stop(),
    /** Take the seat back from another tab. */
    useHere: () => socket.start(),

    /**
     * @param {string} name
     * @param {Partial<Settings>} settings
     * @param {Partial<Plan> | null} [plan] of a tournament
     * @param {string} [password] that a tournament asks for
     * @returns {Promise<string>} the code of the room
     */
    async create(name, settings, plan = null, password = '') {
      gone.value = null
      const wanted = { code: '', name } // known once the room comes
      aim(wanted)
      try {
        await (plan ? ask('create', name, settings, false, plan, password) : ask('create', name, settings))
      } catch (refusal) {
        // The room may have come before the line broke.
        if (!wanted.code) {
          if (target === wanted) target = null
          throw refusal
        }
      }
      // The room may be better served elsewhere. As long as nobody else is there, nobody notices.
      const isAlone = target === wanted && Object.keys(room.value?.view.people ?? {}).length === 1
      if (isSeveral && isAlone && named !== wanted.code) goTo(wanted)
      return wanted.code
    },

    /**
     * Sit down in a room, or come back to one's seat in it.
     *
     * @param {string} code
     * @param {string} name
     * @param {string} [password] where a tournament asks for one
     * @param {string} [ticket] of a personal link; then the name is that of the list
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
     * Come into a room to watch, without a seat.
     *
     * @param {string} code
     * @param {string} name
     * @param {string} [password] where a tournament asks for one
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

    /** Go by another name as a watcher: one comes in anew behind a page that stays as it is. @param {string} name */
    watchAs(name) {
      if (!target?.watching || target.name === name) return
      target = { ...target, name }
      socket.renew()
    },

    /** From one's seat, begin or stop to see the others' boards. @param {boolean} on */
    async look(on) {
      if (on) looking = true
      else lookAway()
      await look(on)
    },

    async leave() {
      await ask('leave')
      leaveBehind(null)
    },

    /** Away from this page's room without leaving the seat. */
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
    /** Whoever said a line of the chat says nothing more, or may again. @param {number} line @param {boolean} on */
    muteLine: (line, on) => ask('mute', line, on),
    /** Remove the watcher who said a line of the chat. @param {number} line @param {boolean} [hold] */
    removeLine: (line, hold = false) => ask('remove', line, ...(hold ? [hold] : [])),
    handOver: (/** @type {number} */ seat) => ask('host', seat),
    addBot: (/** @type {number} */ level) => ask('bot', level),
    chat: (/** @type {string} */ text) => ask('chat', newNonce(), text),
    rename: (/** @type {string} */ name) => ask('rename', name),
    giveUp: () => ask('give_up'),
    takeBack: () => ask('take_back'),
    /** Agree to end the race, or no longer. @param {boolean} on */
    agreeToEnd: (on) => ask('agree_to_end', on),
    /** Agree that nobody waits for one, or no longer. @param {boolean} on */
    standAside: (on) => ask('stand_aside', on),
    /** As the host: end it for all. */
    endRace: () => ask('end_race'),

    react: (/** @type {Sign} */ sign) => ask('react', sign),

    review: (/** @type {number} */ race) => ask('review', race),

    /** In a tournament: choose a team; as a host for anybody, also the position in its order. @param {number} seat @param {string} team @param {number} [board] */
    team: (seat, team, board = 0) => ask('team', seat, team, board),
    forgetList() {
      entryList.value = []
    },

    /** What only pages of tournaments ask for is in tournament-commands.js. */
    ask,

    /** Make a move on one's own board: it shows at once. @param {string} text */
    play(text) {
      refused.value = null
      return track?.play(text) ?? false
    },
  }
}

// JSON merge patches, RFC 7396: a null deletes its key, an object goes deeper, anything else replaces.

/** @typedef {{[key: string]: any}} Json */

/** @param {unknown} value @returns {value is Json} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The target with the patch applied. The target itself is left alone, and parts the patch does not name are shared,
 * so that whoever compares by identity sees what has changed.
 *
 * @param {unknown} target
 * @param {unknown} patch
 * @returns {any}
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
