/** Moves that could have been made, on a board of their own. */

import { parseMove } from '../rules/moves.js'

/** @import { Board } from '../rules/board.js' */

/**
 * @typedef {object} Variation
 * @property {number} length how many entries it has
 * @property {(n: number) => Board} board after so many of them; not to be changed
 */

/**
 * @param {Board} start @param {readonly string[]} texts moves and `undo`, each legal after those before it
 * @returns {Variation}
 */
export function variationOf(start, texts) {
  const boards = [start.copy()]
  for (const text of texts) {
    const board = /** @type {Board} */ (boards.at(-1)).copy()
    if (text === 'undo') board.undo()
    else board.play(parseMove(text))
    boards.push(board)
  }
  return { length: texts.length, board: (n) => /** @type {Board} */ (boards[Math.max(0, Math.min(texts.length, n))]) }
}
