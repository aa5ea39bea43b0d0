/** The sound for a change of a board. */
import { FOUNDATION, STOCK } from '../../rules/move-notation.js'

/** @import { Board } from '../../rules/board.js' */

/** @typedef {'draw' | 'move' | 'home' | 'undo' | 'refused' | 'tick' | 'start' | 'rival' | 'pass' | 'passed' | 'run' | 'won'} Sound */

/**
 * The sound of the last move of a board, or null if there is none.
 * @param {number} before how many moves were shown until now
 * @param {Pick<Board, 'movesMade' | 'last' | 'home'>} board @returns {Sound | null}
 */
export function soundOf(before, { movesMade, last, home }) {
  if (movesMade === before) return null
  if (movesMade < before) return 'undo'
  // Several moves together are from another device, or were missed.
  if (movesMade > before + 1 || !last) return null
  if (home === 104) return 'won'
  if (last.move.source === STOCK || last.move.target === STOCK) return 'draw'
  return last.move.target === FOUNDATION ? 'home' : 'move'
}
