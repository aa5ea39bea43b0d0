import { useState } from 'preact/hooks'
import { cardText } from '../../model/card-text.js'
import { finishText } from '../../model/format.js'
import { rivalWins } from '../../model/race/rivals.js'
import { racerAt } from '../../model/race/room-view.js'
import { placeCell } from '../../model/race/rule-texts.js'
import { isRed } from '../../rules/cards.js'
import { t } from '../../words/translate.js'
import { Icon } from '../controls/icon.jsx'
import { useLater, useNow } from '../hooks.js'
import './celebration.css'

/** @import { View } from '../../protocol/protocol.d.ts' */

const LASTS = 5200 // the duration of the whole animation, in ms
const APART = 70 // between two cards, ms
/** One pack with alternating colours, each suit from king to ace. */
const CARDS = [1, 2, 0, 3].flatMap((suit) => Array.from({ length: 13 }, (_, i) => suit * 13 + 12 - i))

/** Spreads the cards without a visible order, but always in the same way. @param {number} i */
const wayOf = (i) => ({ left: `${(i * 37) % 92}%`, animationDelay: `${i * APART}ms`, '--drift': `${((i * 53) % 41) - 20}vw` })

/** For a racer who has won, or for all when somebody has won the match. @param {{view: View, seat: number, match?: boolean}} props */
export function Cascade({ view, seat, match = false }) {
  const racer = racerAt(view, seat)
  const at = match ? (view.race.over_at ?? 0) : racer?.state === 'solved' ? (racer.finished_at ?? 0) : -Infinity
  return useNow(500, (now) => now - at < LASTS) && <CardCascade />
}

/**
 * The cards of a winner bounce down the page for some seconds, behind all buttons. Nothing moves with reduced motion
 * (celebration.css).
 */
export function CardCascade() {
  const [isOn, setOn] = useState(true)
  useLater(() => setOn(false), LASTS, [])
  if (!isOn) return null
  return (
    <div class="cascade" aria-hidden="true">
      {CARDS.map((card, i) => (
        <span key={card} class="cascade-way" style={wayOf(i)}>
          <span class="cascade-card" data-red={isRed(card) || undefined} style={{ animationDelay: `${i * APART}ms` }}>
            {cardText(card)}
          </span>
        </span>
      ))}
    </div>
  )
}

/** Over the empty board of a winner: the place, which is final. @param {{view: View, seat: number}} props */
export function WonBadge({ view, seat }) {
  const racer = racerAt(view, seat)
  if (racer?.state !== 'solved' || racer.finished_at == null) return null
  const at = racer.finished_at
  const place = 1 + rivalWins(view, seat).filter((win) => win.at < at).length
  return (
    <div class="won" data-part="won">
      <PlaceBadge place={place} />
      <p class="won-words">{place === 1 ? t('more.end.won') : t('more.end.place', { place })}</p>
      <p class="won-time">{finishText(at - (view.race.starts_at ?? at))}</p>
    </div>
  )
}

/** A place as a medal. @param {{place: number}} props */
export const PlaceBadge = ({ place }) => (
  <span class="place-badge" data-place={Math.min(place, 4)} aria-hidden="true">
    {place === 1 && <Icon name="crown" />}
    {placeCell(place)}
  </span>
)
