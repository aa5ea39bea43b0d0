/**
 * One good move: the first of the best series of moves before the next unknown card is revealed. The house bots use the same
 * search. It is a beam search: of all positions after some moves, only the best few are searched further.
 */
import { FOUNDATION, STOCK, WASTE } from '../../rules/move-notation.js'
import { nth } from '../../rules/nth.js'
import { positionValue, TURNING } from './position-value.js'

/**
 * @import { Board } from '../../rules/board.js'
 * @import { Card } from '../../rules/cards.js'
 * @import { Move } from '../../rules/move-notation.js'
 * @typedef {readonly Move[]} Plan
 * @typedef {{depth: number, width: number, positions: number}} Effort moves ahead, positions kept at each step, and
 *   positions examined in total
 * @typedef {{board: Board, plan: Plan}} Node
 * @typedef {{value: number, node: Node, move: Move, reveals: boolean}} Child reveals: a card is revealed, so the search
 *   cannot continue
 */

/** The efforts of the best house bot: while a draw or a redeal is possible, and after that. */
const EFFORT = { depth: 8, width: 20, positions: 1500 }
const LAST_EFFORT = { depth: 14, width: 30, positions: 3000 }
/** A plan must improve the value by more than rounding errors, because sums are made in different order. */
const BETTER = 1e-6

/** The moves of the best house bot up to the next reveal. None: it would give up. @param {Board} board @returns {Plan} */
export function nextMoves(board) {
  const legal = [...board.legalMoves()]
  const turning = legal.find(({ source, target }) => source === STOCK || target === STOCK)
  const plan = bestPlan(board, turning ? EFFORT : LAST_EFFORT)
  if (plan.length) return plan
  const move = turning ?? legal.find(({ target }) => target === FOUNDATION)
  return move ? [move] : []
}

/** A good move for a player with this board, or null if only giving up is left. @param {Board} board */
export const hintOf = (board) => nextMoves(board)[0] ?? null

/** The moves to the best position; none: it is the current one. @param {Board} board @param {Effort} effort @returns {Plan} */
export function bestPlan(board, { depth, width, positions }) {
  let best = positionValue(board.columns, board.waste, board.home, board.base) - BETTER
  /** @type {Plan} */
  let plan = []
  const seen = new Set([keyOf(board.columns, board.waste)])
  /** @type {Node[]} */
  let nodes = [{ board, plan }]
  let lookedAt = 0
  for (let step = 0; step < depth; step += 1) {
    /** @type {Child[]} */
    const children = []
    for (const node of nodes) {
      if (lookedAt >= positions) return plan
      for (const child of childrenOf(node, seen)) {
        lookedAt += 1
        if (child.value < best) {
          best = child.value - BETTER
          plan = [...node.plan, child.move]
        }
        if (!child.reveals) children.push(child)
      }
    }
    children.sort((a, b) => a.value - b.value)
    nodes = children.slice(0, width).map(({ node, move }) => ({ board: after(node.board, move), plan: [...node.plan, move] }))
  }
  return plan
}

/** The position after each move, if it is new. @param {Node} node @param {Set<string>} seen @returns {Generator<Child>} */
function* childrenOf(node, seen) {
  const { board } = node
  for (const move of sensibleMoves(board)) {
    if (board.reveals(move)) {
      yield { value: valueOnReveal(board, move), node, move, reveals: true }
      continue
    }
    const { columns, waste, home } = after(board, move)
    const key = keyOf(columns, waste)
    if (seen.has(key)) continue
    seen.add(key)
    yield { value: positionValue(columns, waste, home, board.base), node, move, reveals: false }
  }
}

/** @param {Board} board @param {Move} move */
function after(board, move) {
  const next = board.copy()
  next.play(move)
  return next
}

/**
 * The legal moves of visible cards, but only one of several equal moves to empty columns. They are in the order of the house
 * bots, because the order decides between equally good moves.
 * @param {Board} board @returns {Move[]}
 */
function sensibleMoves(board) {
  const { columns } = board
  const firstEmpty = columns.findIndex((column) => !column.length) + 1
  const toEmpty = (/** @type {Move} */ { target }) => target > WASTE && !nth(columns, target - 1).length
  const moves = [...board.legalMoves()].filter((move) => {
    const { source, target, count } = move
    if (source === STOCK || target === STOCK) return false
    return !toEmpty(move) || (target === firstEmpty && (source === WASTE || count < nth(columns, source - 1).length))
  })
  const kindOf = (/** @type {Move} */ { target }) => (target === FOUNDATION ? 0 : 1)
  const rank = (/** @type {Move} */ move) => Number(toEmpty(move)) * 100 + move.target
  // For each pile and number of cards: first the moves onto other cards.
  return moves.sort((a, b) => a.source - b.source || kindOf(a) - kindOf(b) || a.count - b.count || rank(a) - rank(b))
}

/** A key that is equal for positions with the same columns in another order. @param {Card[][]} columns @param {Card[]} waste */
const keyOf = (columns, waste) => `${columns.map(String).sort().join('|')}||${waste}`

/** The value of the position after a move that reveals one unknown card. @param {Board} board @param {Move} move */
function valueOnReveal(board, { source, target, count }) {
  const columns = board.columns
  const column = nth(columns, source - 1)
  columns[source - 1] = [...column.slice(0, -count - 1), TURNING]
  if (target !== FOUNDATION) columns[target - 1] = [...nth(columns, target - 1), ...column.slice(-count)]
  return positionValue(columns, board.waste, board.home + (target === FOUNDATION ? count : 0), board.base)
}
