/** Runs searches in a worker thread, so that they never block the page (`solver.js`). */
import './older-browsers.js'
import { fairnessOf } from '../model/hint/fairness.js'
import { Board } from '../rules/board.js'
import { parseCards } from '../rules/cards.js'
import { game } from '../rules/games.js'
import { moveText } from '../rules/move-notation.js'
import { deckOfNumber } from '../rules/numbered-deal.js'
import { analyse, WIDTH } from '../solver/analysis.js'
import { effortOf, solve, starsOf } from '../solver/effort.js'
import { search } from '../solver/search.js'
import { dealNumber } from './deal-number.js'

/** @import { Fall } from '../solver/analysis.js' */
/** @import { Stars } from '../solver/effort.js' */

/** @typedef {{game: string, deck: string, log: readonly string[]}} Log */
/** @typedef {typeof can} Can each function yields its progress */
/** @template {keyof Can} K @typedef {ReturnType<Can[K]> extends Generator<infer P, any> ? P : never} ProgressOf */
/** @template {keyof Can} K @typedef {ReturnType<Can[K]> extends Generator<any, infer R> ? R : never} ResultOf */

const can = { possible, fairness, winnable, line }

/** Functions on the log of one racer. @param {Log} log */
function read({ game: key, deck, log }) {
  const dealt = Board.deal(game(key), parseCards(deck))
  const boardAt = (/** @type {number} */ n) => {
    const board = dealt.copy()
    for (const text of log.slice(0, n)) board.enter(text)
    return board
  }
  const look = (/** @type {Board} */ board) => {
    const { home, moves } = search(board, WIDTH)
    return { home, moves: moves.map(moveText) }
  }
  return { boardAt, look }
}

/**
 * How many cards a search could still bring to the foundations at points of a log.
 * @param {Log & {home: readonly number[], also: readonly number[]}} question `home`: cards home after each number of entries;
 *   `also`: additional points to analyse
 */
function* possible(question) {
  const { boardAt, look } = read(question)
  return yield* analyse(question.home, boardAt, look, question.also)
}

/** The cost of the worst moves, compared with the best house bot. @param {Log & {falls: readonly Fall[]}} question */
function* fairness(question) {
  const { boardAt, look } = read(question)
  const { game: key, deck, log, falls } = question
  return yield* fairnessOf(game(key), parseCards(deck), log, falls, boardAt, look)
}

/**
 * A random numbered deal that can be won, with the winning moves.
 * @param {{game: string, stars: Stars | null}} wanted null: any stars
 * @returns {Generator<{tried: number}, {number: string, stars: Stars, line: string[]}>}
 */
function* winnable({ game: key, stars: wanted }) {
  for (let tried = 0; ; tried += 1) {
    yield { tried }
    const number = dealNumber('')
    const solved = solve(Board.deal(game(key), deckOfNumber(number)), effortOf(key, wanted ?? 3))
    if (!solved) continue
    const stars = starsOf(key, solved.rung)
    if (wanted === null || stars === wanted) return { number, stars, line: solved.moves.map(moveText) }
  }
}

/** The moves that win a deal; null: none were found. @param {{game: string, deck: string}} question */
function* line({ game: key, deck }) {
  yield { tried: 0 }
  const solved = solve(Board.deal(game(key), parseCards(deck)))
  return solved && { stars: starsOf(key, solved.rung), line: solved.moves.map(moveText) }
}

addEventListener('message', (/** @type {MessageEvent<{what: keyof Can, question: any}>} */ { data: { what, question } }) => {
  const steps = can[what](question)
  let step = steps.next()
  for (; !step.done; step = steps.next()) postMessage({ progress: step.value })
  postMessage({ result: step.value })
})
