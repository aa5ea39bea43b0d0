import { signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'

/** @typedef {import('../rules/moves.js').Move} Move */
/** @typedef {import('../table/table.js').Hint} Hint */

/**
 * Hints, for whoever asks for one: what the best of the house bots would do, found in this browser.
 *
 * @param {import('@preact/signals').ReadonlySignal<Pick<import('../net/own-board.js').Shown, 'board'> | null>} board one's own
 * @param {boolean} allowed whether this race has them, and cards can be moved
 * @param {(board: import('../rules/board.js').Board) => Move | null} [known] a move that is known to be better
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
