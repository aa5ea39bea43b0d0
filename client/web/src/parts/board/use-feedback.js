import { effect } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { createAfterPaint } from '../../browser/after-paint.js'
import { soundOf } from '../../model/race/board-sound.js'
import { rivalWins } from '../../model/race/rivals.js'
import { useSite } from '../hooks.js'

/** @import { Sound } from '../../model/race/board-sound.js' */
/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Phase } from '../../model/race/room-view.js' */
/** @import { Shown } from '../../net/own-board.js' */
/** @import { ReadonlySignal } from '@preact/signals' */

const BUZZ = { refused: 40, rival: [30, 60, 30], won: [60, 40, 60, 40, 200] } // the vibration patterns, in ms

/** A function that plays a sound and a vibration, if the preferences and the browser allow them. */
export function useFeedback() {
  const { prefs, sounds } = useSite()
  return useCallback(
    (/** @type {Sound} */ name) => {
      sounds.play(name)
      const pattern = BUZZ[/** @type {keyof typeof BUZZ} */ (name)]
      if (pattern && prefs.vibration.peek() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
    },
    [prefs, sounds],
  )
}

/** Plays the sounds of the player's own moves. @param {ReadonlySignal<Shown | null>} shown */
export function useBoardSounds(shown) {
  const give = useFeedback()
  useEffect(() => {
    /** @type {number | null} moves shown so far; null: none */
    let before = null
    const later = createAfterPaint() // the move is painted before its sound
    const stop = effect(() => {
      const board = shown.value?.board
      const sound = board && before !== null ? soundOf(before, board) : null
      before = board?.movesMade ?? null
      if (sound) later.do(() => give(sound))
    })
    return () => {
      stop()
      later.drop()
    }
  }, [shown, give])
}

/** Plays the sounds of the start and of rivals' wins. @param {View} view @param {number} seat @param {Phase} phase */
export function useRaceSounds(view, seat, phase) {
  const give = useFeedback()
  const before = useRef(phase)
  useEffect(() => {
    if (before.current === 'countdown' && phase === 'racing') give('start')
    before.current = phase
  }, [phase, give])

  const wins = rivalWins(view, seat).length
  const heard = useRef({ race: view.race.number, wins })
  useEffect(() => {
    const isNew = heard.current.race === view.race.number && wins > heard.current.wins
    heard.current = { race: view.race.number, wins }
    if (isNew) give('rival')
  }, [view.race.number, wins, give])
}
