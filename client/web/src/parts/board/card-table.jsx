import { effect } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { GAMES } from '../../rules/games.js'
import { createTable } from '../../table/table.js'
import { useSite } from '../hooks.js'
import { useFeedback } from './use-feedback.js'

/** @import { Settings } from '../../protocol/protocol.d.ts' */
/** @import { Shown } from '../../net/own-board.js' */
/** @import { Hint } from '../../table/table.js' */

/** @template T @typedef {import('@preact/signals').ReadonlySignal<T>} ReadonlySignal */

/**
 * The board as a Preact component. Its state comes as a signal: a move must be on the table before the next key press, not one
 * frame later.
 * @param {object} props
 * @param {ReadonlySignal<Pick<Shown, 'board' | 'animate'> | null>} props.shown null: the cards are still face down
 * @param {string} props.game @param {boolean} props.interactive @param {Settings['undo']} props.undo
 * @param {(text: string) => void} [props.onMove] @param {() => void} [props.onUndo] @param {() => void} [props.onHelp]
 * @param {ReadonlySignal<{message: string} | null>} [props.refused] why the server refused a move
 * @param {ReadonlySignal<Hint | null>} [props.hint] a good move
 * @param {boolean} [props.keys] whether the board handles keys while no element has the focus
 */
export function Table({ shown, game, interactive, undo, onMove, onUndo, onHelp, refused, hint, keys = true }) {
  const { prefs } = useSite()
  const give = useFeedback()
  const place = useRef(/** @type {HTMLDivElement | null} */ (null))
  const [table, setTable] = useState(/** @type {import('../../table/table.js').Table | null} */ (null))
  const calls = useRef({})
  Object.assign(calls.current, { onMove, onUndo, onHelp, onRefuseLocally: () => give('refused') })

  useEffect(() => {
    if (!place.current) return
    const made = createTable(place.current, calls.current)
    setTable(made)
    return made.destroy
  }, [])

  // Before the paint, so that the table allows what the page shows.
  const mirror = prefs.mirror.value
  const watched = !onMove
  const fourColour = prefs.fourColour.value
  const altKeys = prefs.altKeys.value
  useLayoutEffect(
    () => table?.setOptions({ interactive, undo, keys, altKeys, mirror, fourColour, watched }),
    [table, interactive, undo, keys, altKeys, mirror, fourColour, watched],
  )
  useLayoutEffect(() => {
    const row = GAMES.get(game)
    if (!table || !row) return
    return effect(() => {
      const now = shown.value
      if (now) table.show(now.board, { animate: now.animate })
      else table.showFaceDown(row)
    })
  }, [table, shown, game])
  useEffect(() => {
    if (!table) return
    return effect(() => {
      if (!refused?.value) return
      table.flash(refused.value.message)
      give('refused')
    })
  }, [table, refused, give])
  useEffect(() => effect(() => void (hint?.value && table?.hint(hint.value))), [table, hint])

  return <div class="table-place" ref={place} translate={false} />
}
