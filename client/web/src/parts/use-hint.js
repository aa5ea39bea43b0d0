import { signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'

/**
 * @import { Shown } from '../net/own-board.js'
 * @import { Board } from '../rules/board.js'
 * @import { Move } from '../rules/moves.js'
 * @import { Hint } from '../table/table.js'
 * @import { ReadonlySignal } from '@preact/signals'
 */

/**
 * Hints, for whoever asks for one: what the best of the house bots would do, found in this browser.
 *
 * @param {ReadonlySignal<Pick<Shown, 'board'> | null>} board one's own
 * @param {boolean} allowed whether this race has them, and cards can be moved
 * @param {(board: Board) => Move | null} [known] a move that is known to be better
 */
export function useHint(board, allowed, known) {
  const hint = useMemo(() => signal(/** @type {Hint | null} */ (null)), [board])
  const ask = async () => {
    if (!allowed) return
    const { hintOf } = await import('../model/hint/search.js')
    const shown = board.peek()
    if (shown) hint.value = { move: known?.(shown.board) ?? hintOf(shown.board) }
  }
  return { hint, ask }
}
