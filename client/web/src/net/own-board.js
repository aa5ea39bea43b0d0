/**
 * The player's own board in one race: the moves that the server has confirmed, then the pending moves.
 *
 * A move shows immediately. Its number is the length of the log before it, so that the server applies it once even if the
 * client sends it twice. When the server refuses a move, all pending moves after it are undone too.
 */

/** @import { Board } from '../rules/board.js' */
/** @import { Refusal } from './refusal.js' */
/** @typedef {typeof import('../rules/rules.js')} Rules */
/** @typedef {{race: number, board: Board, start: string[], moves: number, animate: boolean}} Shown */
/** @typedef {{n: number, text: string, alive: boolean}} Sent a move that waits for its answer */
/** @typedef {ReturnType<typeof createOwnBoard>} OwnBoard */

const DRAW = 'draw'

/** The player's own progress, with the pending moves. @param {Shown} shown */
export const rowOf = ({ board, moves }) => ({ moves, home: board.home, stock: board.stockCount })

/**
 * @param {Rules} rules
 * @param {{send: (race: number, n: number, text: string) => boolean, onShown: (shown: Shown) => void,
 *   onWaiting: (waits: boolean) => void, onRefused: (why: Refusal) => void}} wiring `waits`: a move waits for the server
 */
export function createOwnBoard({ Board, HIDDEN, game, parseCards }, { send, onShown, onWaiting, onRefused }) {
  let race = 0
  /** @type {string[]} */
  let start = []
  /** @type {string[]} the known part of the seat's log */
  let log = []
  /** @type {Board | null} after `log` */
  let confirmed = null
  /** @type {string[]} entries after the log that the server has not confirmed */
  let pending = []
  /** @type {Sent[]} oldest first; the server answers in this order */
  let sent = []
  /** @type {Board | null} the last one shown */
  let shown = null

  /** The confirmed board plus the pending moves. Drops pending moves that are no longer legal. */
  function withPending() {
    const board = /** @type {Board} */ (confirmed).copy()
    for (const [i, text] of pending.entries()) {
      try {
        board.enter(text)
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

  /** Drop the pending entry `n` and all later ones. @param {number} n */
  function drop(n) {
    pending.length = Math.min(pending.length, Math.max(0, n - log.length))
    for (const one of sent) if (one.n >= n) one.alive = false
  }

  /** @param {number} n @param {string} text */
  function dispatch(n, text) {
    if (send(race, n, text)) sent.push({ n, text, alive: true })
  }

  /** Remove the oldest sent entry with number `n`, and return it. @param {number} n */
  function answered(n) {
    const index = sent.findIndex((one) => one.n === n)
    return index < 0 ? null : (sent.splice(index, 1)[0] ?? null)
  }

  return {
    get race() {
      return race
    },

    /** For the server after a reconnect: the race, and the number of known entries. Null: the client needs the whole log. */
    get resume() {
      return confirmed && /** @type {const} */ ([race, log.length])
    },

    /** The whole log. @param {number} number @param {string} key @param {string[]} columns @param {[string, string][]} moves */
    begin(number, key, columns, moves) {
      const before = { log, pending, same: race === number }
      race = number
      start = columns
      log = moves.map(([text]) => text)
      const board = Board.ofStart(game(key), columns)
      for (const [text, revealed] of moves) board.enter(text, parseCards(revealed))
      confirmed = board
      // The log may contain some of the pending moves. If so, the other pending moves may still follow it.
      const ours = before.same ? [...before.log, ...before.pending] : []
      const agrees = log.every((text, i) => i >= ours.length || text === ours[i])
      pending = agrees ? ours.slice(log.length) : []
      if (!agrees) drop(log.length)
      show(false)
    },

    /**
     * An entry of the player's log is on disk. False: it does not fit the known log, so the client must reconnect to get the
     * whole log.
     * @param {number} number @param {number} n the length of the log after this entry
     * @param {string} text @param {string} revealed
     */
    moved(number, n, text, revealed) {
      if (number !== race || !confirmed) return true
      answered(n - 1)
      if (n <= log.length) return true
      if (n > log.length + 1) return false
      const expected = pending[0] === text
      if (!expected) drop(n - 1) // made on another connection, so the pending moves no longer fit
      try {
        confirmed.enter(text, parseCards(revealed))
      } catch {
        confirmed = null
        return false
      }
      log.push(text)
      if (expected) pending.shift()
      // The player must see the reveal of a face-down card. Without one, the board already looks like this.
      const turns = revealed !== '' && confirmed.last?.revealed.some((slot) => shown?.face(slot) === HIDDEN)
      if (!expected || turns) show(true)
      else onWaiting(pending.length > 0)
      return true
    },

    /** The server refused the move that was sent as number `n`. @param {number} number @param {number} n @param {Refusal} why */
    unmoved(number, n, why) {
      const one = answered(n)
      // Only the first refused move counts. The server refuses the later ones because of it.
      if (number !== race || !confirmed || !one?.alive) return
      drop(n)
      onRefused(why)
      show(true)
    },

    /** Make a move on the shown board. False: it is not legal. @param {string} text */
    play(text) {
      if (!confirmed) return false
      const board = withPending()
      // Only one draw is ahead of the server: a player does not draw past an unseen card.
      if (text === DRAW && board.waste.at(-1) === HIDDEN) return false
      try {
        board.enter(text)
      } catch {
        return false
      }
      pending.push(text)
      dispatch(log.length + pending.length - 1, text)
      show(true)
      return true
    },

    /** The connection broke, so the sent moves will get no answer. */
    lost() {
      sent = []
    },

    /** After a reconnect: send the pending moves. */
    resend() {
      if (!confirmed) return
      pending.forEach((text, i) => dispatch(log.length + i, text))
    },
  }
}
