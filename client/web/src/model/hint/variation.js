/** A variation: possible other moves, on a separate board. */
import { parseMove } from '../../rules/move-notation.js'

/**
 * @import { Board } from '../../rules/board.js'
 * @import { Move } from '../../rules/move-notation.js'
 * @typedef {object} Variation
 * @property {number} length how many entries it has
 * @property {(n: number) => Board} board after `n` entries; read-only
 */

/** @param {Board} start @param {readonly string[]} texts moves and `undo`, each legal after those before @returns {Variation} */
export function variationOf(start, texts) {
  const boards = [start.copy()]
  for (const text of texts) {
    const board = /** @type {Board} */ (boards.at(-1)).copy()
    board.enter(text)
    boards.push(board)
  }
  return { length: texts.length, board: (n) => /** @type {Board} */ (boards[Math.max(0, Math.min(texts.length, n))]) }
}

// The next move of a line that wins a deal, for a board that is still on the line.

/** @typedef {{stars: 1 | 2 | 3, line: readonly string[]}} Won the difficulty of the deal, and the moves of a win */

/** The visible board as text; equal positions have equal texts. @param {Board} board */
const seen = ({ columns, waste, stockCount, redealsLeft }) => [columns.join('|'), waste, stockCount, redealsLeft].join('/')

/**
 * @param {Board} deal at the start @param {readonly string[]} line legal moves
 * @returns {(board: Board) => Move | null} the next move; null: the board is not on the line, or at its end
 */
export function guideOf(deal, line) {
  const { board } = variationOf(deal, line)
  const next = new Map(line.map((text, n) => [seen(board(n)), text]))
  return (from) => {
    const text = next.get(seen(from))
    return text === undefined ? null : parseMove(text)
  }
}
