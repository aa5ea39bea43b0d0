import { signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'

/** @typedef {import('../rules/moves.js').Move} Move */
/** @typedef {{move: Move | null}} Hint a good move, or null: none is left */

/**
 * Hints, for whoever asks for one: what the best of the house bots would do, found in this browser.
 *
 * @param {import('@preact/signals').ReadonlySignal<import('../net/own-board.js').Shown | null>} board one's own
 * @param {boolean} allowed whether this race has them, and cards can be moved
 */
export function useHint(board, allowed) {
  const hint = useMemo(() => signal(/** @type {Hint | null} */ (null)), [board])
  const ask = async () => {
    if (!allowed) return
    const { hintOf } = await import('../model/hint/search.js')
    const shown = board.peek()
    if (shown) hint.value = { move: hintOf(shown.board) }
  }
  return { hint, ask }
}
