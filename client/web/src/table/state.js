/**
 * What the hand is doing on a table, and what it may do. No DOM in here: `render.js` shows it, `gestures.js` changes it.
 *
 * A lifted pile of cards is only an intention. Nothing changes on the board before the move has been made.
 */

import { Board, bestMove } from '../rules/board.js'
import { DRAW, FOUNDATION, moveOf, REDEAL, WASTE } from '../rules/moves.js'
import { layoutOf } from './layout.js'
import { pilesOf } from './piles.js'

/**
 * @import { Reason } from '../rules/board.js'
 * @import { Game } from '../rules/games.js'
 * @import { Move } from '../rules/moves.js'
 * @import { Layout } from './layout.js'
 * @import { Pile } from './piles.js'
 */

/** @typedef {Reason | 'undo-off' | 'undo-turned' | 'nothing-to-undo' | 'no-move'} Refusal */

/**
 * @typedef {object} Options
 * @property {boolean} interactive whether cards can be moved
 * @property {boolean} mirror for the left hand
 * @property {boolean} fourColour
 * @property {'none' | 'turned' | 'free'} undo as the race has it
 * @property {boolean} keys whether keys count while nothing on the page has the focus
 */

/**
 * @typedef {object} Lifted
 * @property {number} source
 * @property {number} count
 * @property {number} slot the card on top, to notice when another one lies there
 */

/**
 * The finger, and not how far it has come: that is another way when the table gets another size under it.
 *
 * @typedef {object} Drag
 * @property {Point} finger where it is on the table
 * @property {Point} grip where on the first of the cards it is, as parts of a card's width and height
 */

/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} State
 * @property {Options} options
 * @property {Board | null} board
 * @property {Pile[]} piles
 * @property {Layout | null} layout
 * @property {{width: number, height: number}} size
 * @property {Lifted | null} lifted
 * @property {Drag | null} drag how a finger holds the lifted cards while it drags them
 * @property {number} focus index of the pile that has, or would get, the focus
 */

/** @param {Partial<Options>} options @returns {State} */
export function createState(options) {
  return {
    options: { interactive: true, mirror: false, fourColour: false, undo: 'turned', keys: true, ...options },
    board: null,
    piles: [],
    layout: null,
    size: { width: 0, height: 0 },
    lifted: null,
    drag: null,
    focus: 0,
  }
}

/** What is shown from now on. Cards in the hand stay there, if they still lie where they were. @param {State} state @param {Board} board */
export function setBoard(state, board) {
  const other = state.board?.game !== board.game
  state.board = board
  if (other) {
    drop(state)
    state.piles = pilesOf(board.game)
    state.focus = state.piles.findIndex((pile) => pile.number === 1)
    arrange(state)
  }
  const { lifted } = state
  if (lifted && (topOf(board, lifted.source) !== lifted.slot || board.longestRun(lifted.source) < lifted.count)) drop(state)
}

/** A board of which nothing is known yet: all its cards lie face down. @param {Game} game */
export const unseen = (game) =>
  Board.ofStart(
    game,
    Array.from({ length: game.columns }, () => '##'.repeat(game.cards)),
  )

/** Places everything anew, after the size or the options have changed. @param {State} state */
export function arrange(state) {
  const { board, size, options } = state
  state.layout = board && size.width > 0 ? layoutOf(board.game, size.width, size.height, options.mirror) : null
}

/** @param {Board} board @param {number} source */
const topOf = (board, source) => (source === WASTE ? board.wasteSlots : board.column(source)).at(-1) ?? -1

/** Whether cards of this pile can be lifted at all. @param {State} state @param {number} source */
export function canLift({ board, options }, source) {
  return options.interactive && board !== null && source >= WASTE && source <= board.game.columns && board.longestRun(source) > 0
}

/**
 * Lifts cards; what was in the hand before goes back.
 *
 * @param {State} state @param {number} source
 * @param {number} [count] as many as asked for, or else as many as can be lifted
 */
export function lift(state, source, count = Infinity) {
  const board = /** @type {Board} */ (state.board)
  state.lifted = { source, count: Math.min(count, board.longestRun(source)), slot: topOf(board, source) }
  state.drag = null
}

/** @param {State} state */
export function drop(state) {
  state.lifted = null
  state.drag = null
}

/**
 * The move that brings the lifted cards to a pile. A column that is not empty, or the foundation, takes one number of
 * cards only, and whoever tapped it need not have counted; on an empty column, and for cards that are dragged, exactly
 * those in the hand move.
 *
 * @param {State} state @param {number} target
 * @returns {Move | null}
 */
export function moveTo({ board, lifted, drag }, target) {
  if (!board || !lifted || target === lifted.source) return null
  const { source, count } = lifted
  const moves = [moveOf(source, target, count)]
  const exact = drag || (target > WASTE && board.column(target).length === 0)
  if (!exact) for (let n = 1; n <= board.longestRun(source); n += 1) moves.push(moveOf(source, target, n))
  return moves.find((move) => board.isLegal(move)) ?? null
}

/**
 * Whether who touches this pile means it for the lifted cards: it takes them, or its own cards could go nowhere.
 *
 * @param {State} state @param {number} pile
 */
export const isMeant = (state, pile) =>
  moveTo(state, pile) || (state.lifted && state.lifted.source !== pile && pile > WASTE && !state.board?.targetsOf(pile).length)

/** Why the lifted cards cannot go there. @param {State} state @param {number} target @returns {Refusal} */
export function whyNotTo({ board, lifted }, target) {
  return (board && lifted && board.whyNot(moveOf(lifted.source, target, lifted.count))) ?? 'no-move'
}

/** The piles that would take the lifted cards. @param {State} state @returns {number[]} */
export function targetsOf(state) {
  const { board, lifted } = state
  if (!board || !lifted) return []
  return board.targetsOf(lifted.source).filter((target) => moveTo(state, target))
}

/** Where a double tap sends the lifted cards. @param {State} state */
export function bestOf({ board, lifted }) {
  return board && lifted && bestMove(board, lifted.source, lifted.count)
}

/** What touching the stock does. @param {State} state @returns {Move | Refusal} */
export function turnOf({ board }) {
  if (!board) return 'no-move'
  const move = board.stockCount ? DRAW : REDEAL
  return board.whyNot(move) ?? move
}

/** Which of the two foundations of its suit the lifted card would go to. @param {State} state @returns {number} or -1 */
export function homeOf(state) {
  const { board, lifted } = state
  const move = moveTo(state, FOUNDATION)
  if (!board || !lifted || !move) return -1
  const card = board.face(lifted.slot)
  const first = Math.floor(card / 13) * 2
  return board.homeSlots[first].length === card % 13 ? first : first + 1
}

/** Why nothing can be taken back. @param {State} state @returns {Refusal | null} */
export function whyNoUndo({ board, options }) {
  if (options.undo === 'none') return 'undo-off'
  if (!board?.movesMade) return 'nothing-to-undo'
  return options.undo === 'turned' && board.lastTurned ? 'undo-turned' : null
}
