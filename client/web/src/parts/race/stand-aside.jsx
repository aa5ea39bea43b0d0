import { useEffect, useRef, useState } from 'preact/hooks'
import { holdsBack, standsAside } from '../../model/race/race-end.js'
import { racerAt } from '../../model/race/room-view.js'
import { IDLE_AFTER } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { useAction, useDerived, useNow, useSite } from '../hooks.js'
import './end-race.css'

/** @import { View } from '../../protocol/protocol.d.ts' */

/**
 * For an idle racer: whether spectators may continue without this racer, and the undo.
 * @param {{view: View, seat: number}} props
 */
export function StandAside({ view, seat }) {
  const { session } = useSite()
  const aside = useAction(session.standAside)
  const racer = racerAt(view, seat)
  const { moves, holds } = useDerived(() => {
    const { race, rows } = session.rivals.value
    const known = race === view.race.number ? rows : {}
    const made = session.shown.value?.moves ?? 0
    const isWatched = session.watchers.value > 0 || Object.values(view.race.racers).some(({ state }) => state !== 'racing')
    return { moves: made, holds: isWatched && holdsBack(view, known, seat, made) }
  }, [view, seat])
  const [movedAt, setMovedAt] = useState(session.clock.now)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) setMovedAt(session.clock.now())
    isFirst.current = false
  }, [moves])
  const idle = useNow(1000, (now) => now - Math.max(movedAt, view.race.starts_at ?? 0) >= IDLE_AFTER)

  if (racer?.state !== 'racing' || racer.gave_up_at != null) return null
  const on = standsAside(view, seat, moves)
  if (!on && !(idle && holds)) return null
  return (
    <span class="stand-aside" data-part="stand-aside">
      <span>{t(on ? 'more.aside.on' : 'more.aside.waiting')}</span>
      <Button
        kind="felt small"
        disabled={aside.busy}
        onClick={() => aside.go(!on)}
        text={t(on ? 'more.aside.stillHere' : 'more.aside.dontWait')}
      />
      {aside.error && <Wrong>{aside.error.message}</Wrong>}
    </span>
  )
}
