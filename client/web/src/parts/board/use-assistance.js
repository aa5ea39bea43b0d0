import { effect, signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { finishOf, safeMoveOf } from '../../rules/finish.js'
import { t } from '../../words/translate.js'
import { useSite } from '../hooks.js'

/** @import { Shown } from '../../net/own-board.js' */
/** @import { Board } from '../../rules/board.js' */
/** @import { Move } from '../../rules/move-notation.js' */
/** @import { Refusal } from '../../table/state.js' */
/** @import { Hint } from '../../table/table.js' */
/** @import { ReadonlySignal } from '@preact/signals' */

const PACE = 90 // the time between two automatic moves, in ms: fast, but visible

/**
 * Plays the remaining moves when no decision is left, unless the preferences forbid it; before that, plays safe cards to the
 * foundations, if the preferences allow it. After an undo or a refused move, the player continues by hand.
 * @param {number} race its number
 * @param {ReadonlySignal<Pick<Shown, 'board'> | null>} board of the player
 * @param {boolean} interactive whether cards can be moved
 * @param {{play: (text: string) => void, refused: ReadonlySignal<unknown>}} hand plays the moves, which the server may refuse
 * @returns {() => unknown} to be called after an undo
 */
export function useAutoPlay(race, board, interactive, hand) {
  const { prefs } = useSite()
  const byHand = useRef(0) // the race that the player continues by hand
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
  return () => (byHand.current = race)
}

/**
 * Hints: the move of the best bot, computed in this browser.
 * @param {ReadonlySignal<Pick<Shown, 'board'> | null>} board of the player
 * @param {boolean} allowed whether the race has hints and cards can be moved
 * @param {(board: Board) => Move | null} [known] a better move, if known
 */
export function useHint(board, allowed, known) {
  const hint = useMemo(() => signal(/** @type {Hint | null} */ (null)), [board])
  const ask = async () => {
    if (!allowed) return
    const { hintOf } = await import('../../model/hint/hint-search.js')
    const shown = board.peek()
    if (shown) hint.value = { move: known?.(shown.board) ?? hintOf(shown.board) }
  }
  /** @param {Refusal} why the player cannot undo */
  const refuse = (why) => {
    hint.value = { move: null, why }
  }
  return { hint, ask, refuse }
}

/** The texts of the tools. */
export const undoTexts = () => ({ word: t('race.page.undo'), title: t('race.page.undoKey') })
export const hintTexts = () => ({ word: t('race.page.hint'), title: t('race.page.hintKey') })
