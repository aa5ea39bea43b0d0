/** One board of a race that is watched: it follows the entries of its log that are shown, one after the other. */
import { Board, game, parseCards } from '../rules/rules.js'

/** @import { Entry } from '../model/watch/gallery.js' @typedef {ReturnType<typeof createReel>} Reel */

const MOST_BEHIND = 24 // a board that is farther behind shows only the last moves
const SLOWEST = 240 // ms between two moves: a little more than a card needs to get there
const FASTEST = 60
const WITHIN = 1600 // the time in which all waiting entries are shown, ms

/** The pause before the next waiting entry. @param {number} waiting */
export const pauseFor = (waiting) => Math.max(FASTEST, Math.min(SLOWEST, WITHIN / Math.max(1, waiting)))

/** @param {string} key of the game @param {readonly string[]} start the columns as dealt */
export function createReel(key, start) {
  const board = Board.ofStart(game(key), start)
  let n = 0

  /** @param {Entry} entry */
  function put([text, revealed]) {
    board.enter(text, parseCards(revealed))
    n += 1
  }

  return {
    get board() {
      return board
    },

    /** How many entries are on the board. */
    get n() {
      return n
    },

    /** Whether this log continues after the board; a narrower policy makes it shorter. @param {readonly Entry[]} log */
    follows: (log) => log.length >= n,

    /** Show all entries directly. @param {readonly Entry[]} log */
    catchUp(log) {
      while (n < log.length) put(log[n])
    },

    /** The next entry; without those before it, if there are too many. @param {readonly Entry[]} log */
    step(log) {
      while (n < log.length - MOST_BEHIND) put(log[n])
      if (n < log.length) put(log[n])
    },
  }
}
