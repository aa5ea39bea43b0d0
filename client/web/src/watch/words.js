/** The visible part of a race, and the reason for its limits. */
import { clockText } from '../model/format.js'
import { dealtIn } from '../model/game-texts.js'
import { durationText } from '../model/race/rule-texts.js'
import { t } from '../words/translate.js'

/** @import { Gallery, Hidden } from '../model/watch/gallery.js' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { Settings } from '../protocol/protocol.d.ts' */

/** Whether boards wait for all racers, so that the race itself is the better view. @param {Settings} settings */
export const isHeldBack = ({ watch }) => watch === 'frontier' || watch === 'progress'

/**
 * The racer for whom all boards wait, if that is no one who just plays more slowly. An absent racer may come back, and somebody
 * who gives up may take that back: until then, they must not learn a card from a spectator.
 * @param {Lane[]} lanes @param {Hidden | null} hidden @param {string} game @returns {{name: string, why: 'away' | 'still' | 'gives_up'} | null}
 */
export function waitsFor(lanes, hidden, game) {
  const dealt = dealtIn(game)?.stock ?? 0
  const holds = lanes.filter(({ state, stock }) => state === 'racing' && hidden && dealt - (stock ?? dealt) <= hidden.stock)
  const unmoved = lanes.filter(({ state, moves }) => state === 'racing' && moves === 0)
  const [away, still, givesUp] = [
    holds.find(({ awayAt }) => awayAt !== null),
    lanes.length > 1 && unmoved.length === 1 && unmoved[0],
    holds.find(({ gaveUpAt }) => gaveUpAt !== null),
  ]
  if (away) return { name: away.name, why: 'away' }
  if (still) return { name: still.name, why: 'still' }
  return givesUp ? { name: givesUp.name, why: 'gives_up' } : null
}

/**
 * @param {{waits: ReturnType<typeof waitsFor>, gallery: Pick<Gallery, 'policy' | 'start'> | null, hidden: Hidden | null, settings: Settings, starts: number,
 *   now: number}} given
 * @returns {{short: string, why: string}} a sentence and its reason
 */
export function shownText({ waits, gallery, hidden, settings, starts, now }) {
  const policy = gallery?.policy
  if (!policy) return { short: t('watch.shown.coming'), why: '' }
  if (policy === 'over') return { short: t('watch.shown.over'), why: '' }
  if (policy === 'open') return { short: t('watch.shown.open'), why: t('watch.shown.openWhy') }
  if (policy === 'progress') return { short: t('watch.shown.progress'), why: t('watch.shown.progressWhy') }
  if (policy !== 'delayed') return frontierText(waits, hidden, settings)
  const left = starts + settings.delay * 1000 - now
  const why = t('watch.shown.delayedWhy')
  const delay = durationText(settings.delay)
  if (!gallery.start) return { short: t('watch.shown.delayedUntil', { delay, time: clockText(left + 999) }), why }
  return { short: t('watch.shown.delayed', { delay }), why }
}

/** @param {ReturnType<typeof waitsFor>} waits @param {Hidden | null} hidden @param {Settings} settings */
function frontierText(waits, hidden, { late, undo }) {
  if (late === 'join') return { short: t('watch.shown.dealOnly'), why: t('watch.shown.dealOnlyWhy') }
  if (undo === 'free') return { short: t('watch.shown.undo'), why: t('watch.shown.undoWhy') }
  const why = t('watch.shown.revealedWhy')
  if (waits) return { short: t('watch.shown.waits', waits), why }
  if (!hidden) return { short: t('watch.shown.revealed'), why }
  return { short: hidden.stock ? t('watch.shown.revealedAt', hidden) : t('watch.shown.revealedNone'), why }
}

/** The reader of these texts. @param {boolean} atSeat @param {boolean} racing a race is on */
export function chatText(atSeat, racing) {
  if (!racing) return ''
  return t(atSeat ? 'watch.chat.atSeat' : 'watch.chat.racing')
}
