import { useEffect, useRef } from 'preact/hooks'
import { SORTS } from '../model/replay/happenings.js'
import { happeningText, positionText } from '../model/replay/replay-texts.js'
import { Panel } from '../parts/page/panel.jsx'
import { t } from '../words/translate.js'
import './happenings.css'

/** @import { Happening } from '../model/replay/happenings.js' */
/** @import { Racer } from '../record/race-record.js' */

/** @typedef {{happening: Happening, at: number}} Told its position on the axis */
/** @typedef {keyof typeof SORTS} Sort */

/**
 * The events up to the play head, as links to their positions.
 * @param {{told: readonly Told[], along: 'time' | 'stock', later: number, current: Told | null, sorts: readonly Sort[],
 *   onSorts: (sorts: Sort[]) => void, racerAt: (seat: number) => Racer, onGo: (told: Told) => void}} props later: the number of
 *   later events; current: the last one before the play head
 */
export function Happenings({ told, along, later, current, sorts, onSorts, racerAt, onGo }) {
  const list = useRef(/** @type {HTMLOListElement | null} */ (null))
  const follows = useRef(true) // until somebody reads elsewhere in the list
  /** Whether the current row is in view, and the scroll position at which it would be. */
  function look() {
    const row = list.current?.querySelector('[aria-current]')
    if (!list.current || !(row instanceof HTMLElement)) return null
    const { offsetTop, offsetHeight } = row
    const { scrollTop, clientHeight } = list.current
    const isSeen = offsetTop >= scrollTop && offsetTop + offsetHeight <= scrollTop + clientHeight
    return { isSeen, goal: offsetTop - clientHeight / 2 }
  }
  useEffect(() => {
    const now = look()
    if (!list.current || !now) return
    if (now.isSeen) follows.current = true
    else if (follows.current) list.current.scrollTop = now.goal // only the list scrolls, never the page
  }, [current])

  return (
    <Panel title={t('watch.whatHappened')} class="happenings">
      <div class="chips" role="group" aria-label={t('watch.events.show')}>
        {
          /** @type {Sort[]} */ (Object.keys(SORTS)).map((sort) => (
            <button
              key={sort}
              type="button"
              class="chip"
              aria-pressed={sorts.includes(sort)}
              onClick={() => onSorts(sorts.includes(sort) ? sorts.filter((one) => one !== sort) : [...sorts, sort])}
            >
              {t(`watch.events.${sort}`)}
            </button>
          ))
        }
      </div>
      <ol
        class="happenings-list scrolls"
        ref={list}
        tabindex={0}
        aria-label={t('watch.events.name')}
        onScroll={() => (follows.current = look()?.isSeen ?? true)}
      >
        {told.map((one) => (
          <li key={`${one.happening.ms} ${one.happening.seat} ${one.happening.kind} ${one.happening.n}`}>
            <button type="button" aria-current={one === current ? 'true' : undefined} onClick={() => onGo(one)}>
              <span class="happening-time">{positionText(along, one.at)}</span>
              <span>{happeningText(one.happening, racerAt)}</span>
            </button>
          </li>
        ))}
        {told.length === 0 && <li class="hint">{t('watch.events.none')}</li>}
      </ol>
      {later > 0 && <p class="hint">{t('watch.events.later')}</p>}
    </Panel>
  )
}
