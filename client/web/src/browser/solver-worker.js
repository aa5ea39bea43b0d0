/** Runs beside the page, in a thread of its own, so that a search holds up nothing there (`solver.js`). */
import { nextMoves } from '../model/hint/search.js'
import { Board } from '../rules/board.js'
import { parseCards } from '../rules/cards.js'
import { createDealer } from '../rules/dealer.js'
import { game } from '../rules/games.js'
import { moveText, parseMove } from '../rules/moves.js'
import { deckOfNumber } from '../rules/numbered-deal.js'
import { analyse, WIDTH } from '../solver/analysis.js'
import { effortOf, solve, starsOf } from '../solver/effort.js'
import { search } from '../solver/search.js'
import { dealNumber } from './deal-number.js'

/** @typedef {import('../solver/analysis.js').Looked} Looked */
/** @typedef {import('../solver/effort.js').Stars} Stars */

/**
 * @typedef {object} Can each yields what is known so far
 * @property {typeof possible} possible
 * @property {typeof playedByBot} playedByBot
 * @property {typeof winnable} winnable
 */
/** @template {keyof Can} K @typedef {ReturnType<Can[K]> extends Generator<infer P, any> ? P : never} ProgressOf */
/** @template {keyof Can} K @typedef {ReturnType<Can[K]> extends Generator<any, infer R> ? R : never} ResultOf */

/** @type {Can} */
const can = { possible, playedByBot, winnable }

/**
 * What was still possible after each entry of a log.
 *
 * @param {{game: string, deck: string, log: readonly string[], also: readonly number[]}} race
 */
function* possible({ game: key, deck, log, also }) {
  const dealt = Board.deal(game(key), parseCards(deck))
  const boardAt = (/** @type {number} */ n) => {
    const board = dealt.copy()
    for (const text of log.slice(0, n)) {
      if (text === 'undo') board.undo()
      else board.play(parseMove(text))
    }
    return board
  }
  const board = dealt.copy()
  const home = [board.home]
  for (const text of log) {
    if (text === 'undo') board.undo()
    else board.play(parseMove(text))
    home.push(board.home)
  }
  const look = (/** @type {Board} */ from) => {
    const found = search(from, WIDTH)
    return { home: found.home, moves: found.moves.map(moveText) }
  }
  return yield* analyse(home, boardAt, look, also)
}

/**
 * How many cards the best of the house bots brings home, which sees only what a player sees.
 *
 * @param {{game: string, deck: string}} deal
 * @returns {Generator<{home: number}, number>}
 */
function* playedByBot({ game: key, deck }) {
  const dealer = createDealer(game(key), parseCards(deck))
  for (;;) {
    const plan = nextMoves(dealer.board)
    if (!plan.length) return dealer.board.home
    for (const move of plan) dealer.play(moveText(move))
    yield { home: dealer.board.home }
  }
}

/**
 * A numbered deal, taken at random, and a line that wins it.
 *
 * @param {{game: string, stars: Stars | null}} wanted null: any
 * @returns {Generator<{tried: number}, {number: string, stars: Stars, line: string[]}>}
 */
function* winnable({ game: key, stars: wanted }) {
  for (let tried = 0; ; tried += 1) {
    yield { tried }
    const number = dealNumber('')
    const solved = solve(Board.deal(game(key), deckOfNumber(number)), effortOf(key, wanted ?? 2))
    if (!solved) continue
    const stars = starsOf(key, solved.rung)
    if (wanted === null || stars === wanted) return { number, stars, line: solved.moves.map(moveText) }
  }
}

addEventListener('message', (/** @type {MessageEvent<{what: keyof Can, question: any}>} */ { data: { what, question } }) => {
  const steps = can[what](question)
  let step = steps.next()
  for (; !step.done; step = steps.next()) postMessage({ progress: step.value })
  postMessage({ result: step.value })
})
