/**
 * The state of a table: the lifted cards and the legal actions, without DOM. `render.js` shows it, `gestures.js` changes it.
 *
 * Lifting cards does not change the board. Only a move does.
 */
import { Board, bestMove } from '../rules/board.js'
import { HIDDEN, SUITS } from '../rules/cards.js'
import { heightsOf } from '../rules/games.js'
import { DRAW, FOUNDATION, moveOf, REDEAL, STOCK, WASTE } from '../rules/move-notation.js'
import { layoutOf } from './layout.js'

/** @import { Reason } from '../rules/board.js' */
/** @import { Game } from '../rules/games.js' */
/** @import { Move } from '../rules/move-notation.js' */
/** @import { Box, Layout } from './layout.js' */

/** @typedef {Reason | 'undo-off' | 'undo-turned' | 'nothing-to-undo' | 'no-move' | 'still-drawing'} Refusal */

/**
 * @typedef {object} Options
 * @property {boolean} interactive whether the player can move cards.
 * @property {boolean} mirror for the left hand.
 * @property {boolean} watched whether nobody plays on this table.
 * @property {boolean} fourColour @property {'none' | 'turned' | 'free'} undo the setting of the race.
 * @property {boolean} altKeys whether letters and digits need Alt.
 * @property {boolean} keys whether the table handles keys when no element on the page has the focus
 */

/**
 * @typedef {object} Lifted
 * @property {number} source @property {number} count @property {number} slot the top card, to notice when it changes
 */

/**
 * The finger's position, not its distance, because the distance changes with the table's size.
 * @typedef {object} Drag
 * @property {Point} finger its position on the table.
 * @property {Point} grip its position on the first dragged card, as parts of the card's width and height
 */

/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} State
 * @property {Options} options @property {Board | null} board @property {Pile[]} piles @property {Layout | null} layout
 * @property {{width: number, height: number}} size @property {Lifted | null} lifted
 * @property {Drag | null} drag the lifted cards under a finger.
 * @property {boolean} spread whether the player looks at all cards of the waste.
 * @property {number} focus index of the pile that has, or would get, the focus
 */

/** @param {Partial<Options>} options @returns {State} */
export function createState(options) {
  return {
    options: {
      interactive: true,
      mirror: false,
      watched: false,
      fourColour: false,
      undo: 'turned',
      keys: true,
      altKeys: false,
      ...options,
    },
    size: { width: 0, height: 0 },
    ...{ board: null, piles: [], layout: null, lifted: null, drag: null, spread: false, focus: 0 },
  }
}

/** Sets the board. Cards stay lifted if the top card is there and they can move. @param {State} state @param {Board} board */
export function setBoard(state, board) {
  const other = state.board?.game !== board.game
  state.board = board
  state.spread = false
  if (other) {
    drop(state)
    state.piles = pilesOf(board.game)
    state.focus = state.piles.findIndex((pile) => pile.number === 1)
    arrange(state)
  }
  const { lifted } = state
  if (lifted && (board.pile(lifted.source).at(-1) !== lifted.slot || board.longestRun(lifted.source) < lifted.count)) drop(state)
}

/** A board with all cards face down. @param {Game} game */
export const unseen = (game) =>
  Board.ofStart(
    game,
    [...heightsOf(game), ...(game.base ? [] : [1])].map((height) => '##'.repeat(height)),
  )

/** Recomputes the layout after a change of size or options. @param {State} state */
export function arrange(state) {
  const { board, size, options } = state
  state.layout = board && size.width > 0 ? layoutOf(board.game, size.width, size.height, options.mirror, options.watched) : null
}

/** Whether the player can lift cards of this pile. @param {State} state @param {number} source */
export const canLift = ({ board, options }, source) =>
  options.interactive && board !== null && source >= WASTE && source <= board.game.columns && board.longestRun(source) > 0

/**
 * Lifts cards, and puts other lifted cards back.
 * @param {State} state @param {number} source @param {number} [count] at most this many, default: as many as possible
 */
export function lift(state, source, count = Infinity) {
  const board = /** @type {Board} */ (state.board)
  state.lifted = { source, count: Math.min(count, board.longestRun(source)), slot: board.pile(source).at(-1) ?? -1 }
  state.drag = null
}

/** @param {State} state */
export function drop(state) {
  state.lifted = null
  state.drag = null
}

/** Shows all cards of the waste, or no longer, and returns whether this changes something. @param {State} state @param {boolean} on */
export function spread(state, on) {
  const isOn = on && (state.board?.pile(WASTE).length ?? 0) > 1
  if (isOn === state.spread) return false
  state.spread = isOn
  return true
}

/**
 * The move of the lifted cards to a pile. A foundation or a column with cards takes only one certain number of cards, so a tap
 * there moves that number. On an empty column, and in a drag, exactly the lifted cards move.
 * @param {State} state @param {number} target @returns {Move | null}
 */
export function moveTo({ board, lifted, drag }, target) {
  if (!board || !lifted || target === lifted.source) return null
  const { source, count } = lifted
  const moves = [moveOf(source, target, count)]
  const exact = drag || (target > WASTE && board.column(target).length === 0)
  if (!exact) for (let n = 1; n <= board.longestRun(source); n += 1) moves.push(moveOf(source, target, n))
  return moves.find((move) => board.isLegal(move)) ?? null
}

/** Whether a pile is the target of lifted cards: it takes them, or has no move. @param {State} state @param {number} pile */
export const isMeant = (state, pile) =>
  moveTo(state, pile) || (state.lifted && state.lifted.source !== pile && pile > WASTE && !state.board?.targetsOf(pile).length)

/** Why the lifted cards cannot go there. @param {State} state @param {number} target @returns {Refusal} */
export const whyNotTo = ({ board, lifted }, target) =>
  (board && lifted && board.whyNot(moveOf(lifted.source, target, lifted.count))) ?? 'no-move'

/** The piles that can take the lifted cards. @param {State} state @returns {number[]} */
export function targetsOf(state) {
  const { board, lifted } = state
  if (!board || !lifted) return []
  return board.targetsOf(lifted.source).filter((target) => moveTo(state, target))
}

/** The move of a double tap on the lifted cards. @param {State} state */
export const bestOf = ({ board, lifted }) => board && lifted && bestMove(board, lifted.source, lifted.count)

/**
 * The move of a tap on the stock. While the server has not answered, only one draw is ahead: otherwise a player on a slow
 * connection taps again, and draws past a card that nobody has seen.
 * @param {State} state @returns {Move | Refusal}
 */
export function turnOf({ board }) {
  if (!board) return 'no-move'
  const [last] = board.waste.slice(-1)
  if (last === HIDDEN) return 'still-drawing'
  const move = board.stockCount ? DRAW : REDEAL
  return board.whyNot(move) ?? move
}

/** The foundation for the lifted card. @param {State} state @returns {number} or -1 */
export function homeOf(state) {
  const { board, lifted } = state
  return board && lifted && moveTo(state, FOUNDATION) ? board.homeFor(board.face(lifted.slot)) : -1
}

/** Why the player cannot undo. @param {{board: Board | null, options: Pick<Options, 'undo'>}} state @returns {Refusal | null} */
export function whyNoUndo({ board, options }) {
  if (options.undo === 'none') return 'undo-off'
  if (!board?.movesMade) return 'nothing-to-undo'
  return options.undo === 'turned' && board.lastRevealed ? 'undo-turned' : null
}

// The piles, for touch, focus and screen readers.

/**
 * @typedef {object} Pile
 * @property {string} id `foundation-H`, `waste`, `stock`, `column-7`
 * @property {number} number of the pile in moves
 * @property {number} suit of a foundation, else -1
 */

/** In the order of a layout's areas. @param {Game} game @returns {Pile[]} */
export function pilesOf(game) {
  return [
    ...[...SUITS].map((letter, suit) => ({ id: `foundation-${letter}`, number: FOUNDATION, suit })),
    { id: 'waste', number: WASTE, suit: -1 },
    { id: 'stock', number: STOCK, suit: -1 },
    ...Array.from({ length: game.columns }, (_, i) => ({ id: `column-${i + 1}`, number: i + 1, suit: -1 })),
  ]
}

/**
 * The next pile in the direction of an arrow key.
 * @param {readonly Box[]} areas @param {number} from @param {'left' | 'right' | 'up' | 'down'} direction
 * @returns {number} its index, or `from` if there is none
 */
export function neighbour(areas, from, direction) {
  const across = direction === 'left' || direction === 'right'
  const sign = direction === 'left' || direction === 'up' ? -1 : 1
  const here = areas[from]
  const middle = (/** @type {Box} */ box) => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 })
  let best = from
  let least = Infinity
  areas.forEach((box, i) => {
    const dx = middle(box).x - middle(here).x
    const dy = middle(box).y - middle(here).y
    const level = Math.min(box.y + box.h, here.y + here.h) - Math.max(box.y, here.y) > 4
    if (across ? dx * sign <= 1 || !level : dy * sign <= 1 || level) return
    // The fanned waste is wide, so a pile straight above or below counts as near.
    const aside = Math.max(0, Math.abs(dx) - box.w / 2)
    const far = across ? Math.abs(dx) + Math.abs(dy) / 8 : aside * 4 + Math.abs(dy)
    if (far < least) {
      least = far
      best = i
    }
  })
  return best
}
