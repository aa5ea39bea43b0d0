/**
 * One's own board in one race: what the server has confirmed, and on top of it what was played but not confirmed yet.
 *
 * A move shows at once. Its number is the length of the log it was made at, so it can be sent twice and is applied
 * once; everything that stands on a refused move goes back with it.
 */

/** @import { Board } from '../rules/board.js' */

/**
 * @typedef {typeof import('../rules/rules.js')} Rules
 * @typedef {{race: number, board: Board, start: string[], moves: number, animate: boolean}} Shown
 * @typedef {{code: string, message: string}} Told
 * @typedef {{n: number, text: string, alive: boolean}} Sent a move on its way, which will be answered
 * @typedef {ReturnType<typeof createTrack>} Track
 */

export const UNDO = 'undo'

/** How far one is oneself, what is not confirmed yet included. @param {Shown} shown */
export const rowOf = ({ board, moves }) => ({
  moves,
  home: board.home,
  stock: board.stockCount,
})

/**
 * @param {Rules} rules
 * @param {object} wiring
 * @param {(race: number, n: number, text: string) => boolean} wiring.send
 * @param {(shown: Shown) => void} wiring.onShown the board is to look otherwise than before
 * @param {(waits: boolean) => void} wiring.onWaiting whether a move waits for the server
 * @param {(why: Told) => void} wiring.onRefused
 */
export function createTrack({ Board, HIDDEN, game, parseMove, parseCards }, { send, onShown, onWaiting, onRefused }) {
  let race = 0
  /** @type {string[]} */
  let start = []
  /** @type {string[]} the seat's log as far as it is known here */
  let log = []
  /** @type {Board | null} after `log` */
  let confirmed = null
  /** @type {string[]} entries that follow the log, if the server agrees */
  let pending = []
  /** @type {Sent[]} oldest first; the server answers in this order */
  let sent = []
  /** @type {Board | null} as it was shown last */
  let shown = null

  /** @param {Board} board @param {string} text @param {string} [turned] */
  function put(board, text, turned) {
    if (text === UNDO) board.undo()
    else board.play(parseMove(text), turned === undefined ? undefined : parseCards(turned))
  }

  /** The confirmed board with what is pending played on it; what no longer goes is dropped. */
  function withPending() {
    const board = /** @type {Board} */ (confirmed).copy()
    for (const [i, text] of pending.entries()) {
      try {
        put(board, text)
      } catch {
        drop(log.length + i)
        break
      }
    }
    return board
  }

  /** @param {boolean} animate */
  function show(animate) {
    shown = withPending()
    onShown({ race, board: shown, start, moves: log.length + pending.length, animate })
    onWaiting(pending.length > 0)
  }

  /** Forget what was to be entry `n` and all that stands on it. @param {number} n */
  function drop(n) {
    pending.length = Math.min(pending.length, Math.max(0, n - log.length))
    for (const one of sent) if (one.n >= n) one.alive = false
  }

  /** @param {number} n @param {string} text */
  function dispatch(n, text) {
    if (send(race, n, text)) sent.push({ n, text, alive: true })
  }

  /** The first answer that is due for number `n`. @param {number} n */
  function answered(n) {
    const index = sent.findIndex((one) => one.n === n)
    return index < 0 ? null : (sent.splice(index, 1)[0] ?? null)
  }

  return {
    get race() {
      return race
    },

    /** What the server needs to know after a break: the race, and how many entries we have. Null: everything. */
    get resume() {
      return confirmed && /** @type {const} */ ([race, log.length])
    },

    /**
     * The server's account of the whole race so far: at the start, and after a break.
     *
     * @param {number} number @param {string} gameKey @param {string[]} columns @param {[string, string][]} moves
     */
    begin(number, gameKey, columns, moves) {
      const before = { log, pending, same: race === number }
      race = number
      start = columns
      log = moves.map(([text]) => text)
      const board = Board.ofStart(game(gameKey), columns)
      for (const [text, turned] of moves) put(board, text, turned)
      confirmed = board
      // What we played meanwhile may be among these entries, and the rest of it may still stand on them.
      const ours = before.same ? [...before.log, ...before.pending] : []
      const agrees = log.every((text, i) => i >= ours.length || text === ours[i])
      pending = agrees ? ours.slice(log.length) : []
      if (!agrees) drop(log.length)
      show(false)
    },

    /**
     * An entry of our log is on disk. False: it does not follow what is known here, so one must be told everything
     * anew.
     *
     * @param {number} number
     * @param {number} n the length of the log with it
     * @param {string} text
     * @param {string} turned
     */
    moved(number, n, text, turned) {
      if (number !== race || !confirmed) return true
      answered(n - 1)
      if (n <= log.length) return true
      if (n > log.length + 1) return false
      const expected = pending[0] === text
      if (!expected) drop(n - 1) // made elsewhere, so what we have here stands on nothing
      try {
        put(confirmed, text, turned)
      } catch {
        confirmed = null
        return false
      }
      log.push(text)
      if (expected) pending.shift()
      // Cards that come with the answer are to be seen turning; else it is shown already.
      const turns = turned !== '' && confirmed.last?.turned.some((slot) => shown?.face(slot) === HIDDEN)
      if (!expected || turns) show(true)
      else onWaiting(pending.length > 0)
      return true
    },

    /**
     * The entry we sent as number `n` was refused.
     *
     * @param {number} number @param {number} n @param {Told} why
     */
    unmoved(number, n, why) {
      const one = answered(n)
      // Only the first refused move counts: those sent after it are refused because of it.
      if (number !== race || !confirmed || !one?.alive) return
      drop(n)
      onRefused(why)
      show(true)
    },

    /** Play on the board as it is shown. False: it does not go. @param {string} text */
    play(text) {
      if (!confirmed) return false
      const board = withPending()
      try {
        put(board, text)
      } catch {
        return false
      }
      pending.push(text)
      dispatch(log.length + pending.length - 1, text)
      show(true)
      return true
    },

    /** The line broke: no answer to what was sent will come. */
    lost() {
      sent = []
    },

    /** The line is back: say again what is not confirmed. */
    resend() {
      if (!confirmed) return
      pending.forEach((text, i) => dispatch(log.length + i, text))
    },
  }
}
