import { useEffect, useRef, useState } from 'preact/hooks'
import { SIGNS, withMore } from '../../model/watch/reactions.js'
import { t } from '../../words/translate.js'
import { Icon } from '../controls/more-icons.jsx'
import { useSite } from '../hooks.js'
import './reactions.css'
import { Tool } from '../controls/tool.jsx'

/**
 * @import { Bubble } from '../../model/watch/reactions.js'
 * @import { Refusal } from '../../net/refusal.js'
 */

/** So long a sign is seen, ms; the style sheet knows it, too. */
const SEEN_FOR = 2600

/** What those who look on show each other, as it comes. Nobody who races is told of it. */
export function Reactions() {
  const { session, prefs } = useSite()
  const [seen, setSeen] = useState(/** @type {Bubble[]} */ ([]))
  const next = useRef(1)
  const came = session.reactions.value
  const hidden = prefs.reactionsHidden.value
  useEffect(() => {
    if (!came || hidden) return
    const first = next.current
    next.current += SIGNS.length
    setSeen((before) => withMore(before, came.counts, first))
    const timer = setTimeout(() => setSeen([]), SEEN_FOR)
    return () => clearTimeout(timer)
  }, [came, hidden])
  if (hidden || !seen.length) return null
  return (
    <div class="reactions" aria-hidden="true" data-part="reactions">
      {seen.map(({ id, sign, count }) => (
        <span key={id} class="reaction" data-sign={sign}>
          <Icon name={sign} />
          {count > 1 && <small>×{count}</small>}
        </span>
      ))}
    </div>
  )
}

/** The signs to choose from. */
export function ReactionButtons() {
  const { session } = useSite()
  const [wrong, setWrong] = useState(/** @type {Refusal | null} */ (null))
  return (
    <span class="reaction-buttons" role="group" aria-label={t('race.reactions.react')} data-part="react">
      {SIGNS.map((sign) => (
        <Tool
          label={t(`race.reactions.${sign}`)}
          key={sign}
          title={t(`race.reactions.${sign}`)}
          onClick={() =>
            session.react(sign).then(
              () => setWrong(null),
              (/** @type {Refusal} */ refusal) => setWrong(refusal),
            )
          }
        >
          <Icon name={sign} />
        </Tool>
      ))}
      <span class="reaction-told" role="status">
        {wrong?.message}
      </span>
    </span>
  )
}
