/** The avoidable cost of moves, compared with the best house bot, as in client/fortythieves_client/bot/fairness.py. */
import { createDealer } from '../../rules/dealer.js'
import { moveText } from '../../rules/move-notation.js'
import { nextMoves } from './hint-search.js'

/** @import { Board } from '../../rules/board.js' */
/** @import { Card } from '../../rules/cards.js' */
/** @import { Game } from '../../rules/games.js' */
/** @import { Fall } from '../../solver/analysis.js' */

/** The number of the most costly moves to judge. The others are ignored. */
const JUDGED = 10

/**
 * @typedef {object} Fairness
 * @property {Readonly<Record<number, number>>} costs by the number of entries before a move: how many cards it cost more than
 *   the bot's
 * @property {number} left how many more cards the bot brings home if it plays on from the end of the log
 */

/**
 * Compare the most costly moves of a log with the bot's. It yields the number of judged moves.
 * @param {Game} game @param {readonly Card[]} deck
 * @param {readonly string[]} log @param {readonly Fall[]} falls the most costly first
 * @param {(n: number) => Board} boardAt the board after `n` entries, all cards known
 * @param {(board: Board) => {home: number}} look the search
 * @returns {Generator<{judged: number}, Fairness>}
 */
export function* fairnessOf(game, deck, log, falls, boardAt, look) {
  const seenAt = (/** @type {number} */ n) => {
    const dealer = createDealer(game, deck)
    for (const text of log.slice(0, n)) dealer.play(text)
    return dealer
  }

  /** @param {Fall} fall */
  function costOf({ before, from, to }) {
    const plan = nextMoves(seenAt(before).board)
    if (!plan[0] || moveText(plan[0]) === log[before]) return 0
    const board = boardAt(before)
    for (const move of plan) board.play(move)
    return Math.max(0, Math.min(from, look(board).home) - to)
  }

  /** @type {Record<number, number>} */
  const costs = {}
  let judged = 0
  // If the fall covers several moves without a search in between, the costly one is unknown.
  for (const fall of falls.filter(({ before, after }) => after - before === 1).slice(0, JUDGED)) {
    costs[fall.before] = costOf(fall)
    judged += 1
    yield { judged }
  }

  const dealer = seenAt(log.length)
  const { home } = dealer.board
  for (let plan = nextMoves(dealer.board); plan.length && !dealer.board.outcome; plan = nextMoves(dealer.board)) {
    for (const move of plan) dealer.play(moveText(move))
    yield { judged }
  }
  return { costs, left: Math.max(0, dealer.board.home - home) }
}

/** How many cards the bot could have brought home. @param {number} home at the end @param {Fairness} fairness */
export const fairOf = (home, { costs, left }) => Object.values(costs).reduce((sum, cost) => sum + cost, home + left)
