import { useEffect, useRef, useState } from 'preact/hooks'
import { withMore } from '../../model/watch/reactions.js'
import { SIGNS } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { Tool } from '../controls/button.jsx'
import { Icon } from '../controls/more-icons.jsx'
import { useSite } from '../hooks.js'
import './reactions.css'

/** @import { Bubble } from '../../model/watch/reactions.js' */
/** @import { Refusal } from '../../net/refusal.js' */

/** How long a reaction is visible, in ms. The style sheet has the same number. */
const SEEN_FOR = 2600

/** Shows the reactions that spectators send. Racers never get them. */
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

/** The buttons that send a reaction. */
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
          onClick={() => session.ask('react', sign).then(() => setWrong(null), setWrong)}
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
