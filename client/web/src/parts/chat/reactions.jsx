import { useEffect, useRef, useState } from 'preact/hooks'
import { withMore } from '../../model/watch/reactions.js'
import { SIGNS } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { Tool } from '../controls/button.jsx'
import { Name } from '../controls/face.jsx'
import { Icon } from '../controls/more-icons.jsx'
import { useLater, useSite } from '../hooks.js'
import './reactions.css'

/** @import { Bubble, Sign } from '../../model/watch/reactions.js' */
/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Refusal } from '../../net/refusal.js' */

/** How long a reaction is visible, in ms. The style sheet has the same number. */
const SEEN_FOR = 2600
const TOLD_FOR = 3000 // how long a refusal is shown, in ms

/** Shows the reactions of all people here. To racers, the server sends only those of racers. */
export function Reactions() {
  const { session, prefs, mutes } = useSite()
  const [seen, setSeen] = useState(/** @type {Bubble[]} */ ([]))
  const next = useRef(1)
  const came = session.reactions.value
  const hidden = prefs.reactionsHidden.value
  useEffect(() => {
    if (!came || hidden) return
    const first = next.current
    next.current += SIGNS.length + came.racers.length
    const muted = mutes.of(session.view.peek()?.code ?? '').peek()
    const racers = came.racers.filter(([seat]) => !muted.has(seat))
    setSeen((before) => withMore(before, { ...came, racers }, first))
    const timer = setTimeout(() => setSeen([]), SEEN_FOR)
    return () => clearTimeout(timer)
  }, [came, hidden])
  if (hidden || !seen.length) return null
  return (
    <div class="reactions" aria-hidden="true" data-part="reactions">
      {seen.map(({ id, sign, count, seat }) => (
        <span key={id} class="reaction" data-sign={sign}>
          <Icon name={sign} />
          {seat > 0 && <Name seat={seat} name={session.view.peek()?.race.racers?.[seat]?.name ?? ''} />}
          {count > 1 && <small>×{count}</small>}
        </span>
      ))}
    </div>
  )
}

/**
 * The same for an active racer: always here beside the lanes, and behind one button where there is no room.
 * @param {{view: View, seat: number}} props
 */
export function RacerReactions({ view, seat }) {
  const { session, prefs } = useSite()
  const [open, setOpen] = useState(false)
  const others = Object.entries(view.people).some(([one, { bot }]) => Number(one) !== seat && !bot)
  const isHeard = others || session.watchers.value > 0
  if (prefs.reactionsHidden.value || !isHeard || view.tournament?.plan.quiet) return null
  return (
    <span class="racer-reactions" data-open={open || undefined}>
      <Tool
        label={t('more.reactions.title')}
        title={t('more.reactions.title')}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="heart" />
      </Tool>
      <ReactionButtons onSent={() => setOpen(false)} />
    </span>
  )
}

/** The buttons that send a reaction. @param {{onSent?: () => void}} props */
export function ReactionButtons({ onSent }) {
  const { session } = useSite()
  const [wrong, setWrong] = useState(/** @type {Refusal | null} */ (null))
  useLater(() => setWrong(null), TOLD_FOR, [wrong])
  /** @param {Sign} sign */
  function send(sign) {
    onSent?.()
    session.ask('react', sign).then(() => setWrong(null), setWrong)
  }
  return (
    <span class="reaction-buttons" role="group" aria-label={t('more.reactions.react')} data-part="react">
      {SIGNS.map((sign) => (
        <Tool
          label={t(`more.reactions.${sign}`)}
          key={sign}
          title={t(`more.reactions.${sign}`)}
          data-sign={sign}
          onClick={() => send(sign)}
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
