import { effect, signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { finishOf, safeMoveOf } from '../../rules/finish.js'
import { useSite } from '../hooks.js'

/**
 * @import { Shown } from '../../net/own-board.js'
 * @import { Board } from '../../rules/board.js'
 * @import { Move } from '../../rules/moves.js'
 * @import { Hint } from '../../table/table.js'
 * @import { ReadonlySignal } from '@preact/signals'
 */

/** Between two moves of those that make themselves, ms: quick, and slow enough to be seen. */
const PACE = 90

/**
 * Plays the rest by itself once nothing is left to decide, as moves like all others, unless the preferences say otherwise;
 * and before that, if they say so, safe cards.
 * Whoever takes a move back, or whose move is refused, goes on by hand.
 *
 * @param {number} race its number
 * @param {ReadonlySignal<Pick<Shown, 'board'> | null>} board one's own
 * @param {boolean} interactive whether cards can be moved
 * @param {object} hand that plays
 * @param {(text: string) => void} hand.play
 * @param {ReadonlySignal<unknown>} hand.refused why a move went back
 * @returns {() => void} to be called when a move is taken back
 */
export function useAutoPlay(race, board, interactive, hand) {
  const { prefs } = useSite()
  const byHand = useRef(0) // the race that goes on by hand
  useEffect(() => {
    if (!interactive) return
    return effect(() => {
      if (hand.refused.value) byHand.current = race
      const now = board.value
      if (!now || byHand.current === race) return
      const finish = prefs.finishByHand.value ? null : finishOf(now.board)?.[0]
      const next = finish ?? (prefs.safeHome.value ? safeMoveOf(now.board) : null)
      if (!next) return
      const timer = setTimeout(() => hand.play(next), PACE)
      return () => clearTimeout(timer)
    })
  }, [hand, prefs, board, race, interactive])
  return () => {
    byHand.current = race
  }
}

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
    const { hintOf } = await import('../../model/hint/hint-search.js')
    const shown = board.peek()
    if (shown) hint.value = { move: known?.(shown.board) ?? hintOf(shown.board) }
  }
  return { hint, ask }
}
