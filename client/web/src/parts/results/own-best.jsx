import { memory } from '../../browser/memory.js'
import { finishText } from '../../model/format.js'
import { gameName } from '../../model/game-texts.js'
import { bestBefore, daysInARow, totalsOf } from '../../model/memory/memory.js'
import { t } from '../../words/translate.js'
import { useLoaded, useSite } from '../hooks.js'

/** @import { Play } from '../../model/memory/memory.js' */

/** The kinds with few races at a time, because par costs the server half a second. @type {Set<string>} */
const WITH_PAR = new Set(['race', 'bot', 'challenge'])

/**
 * Keeps a play, and compares it with those before: whether the time is the player's best, and the wins in a row.
 * @param {{play: Omit<Play, 'device'>}} props
 */
export function OwnBest({ play }) {
  const { id, kind, game, ms } = play
  const { get } = useSite()
  const now = useLoaded(() => memory.keep(play), [id, ms])
  const par = useLoaded(async () => (WITH_PAR.has(kind) ? (await (await get(`/api/races/${id}.par`)).json()).par : null), [id])
  if (!now) return null
  const kept = now.plays.find((one) => one.id === id)
  const before = bestBefore(now, play)
  // A deal that the player knew counts no more.
  const isBest = ms !== null && kept?.ms === ms && (before === null || ms < before)
  const best = before ?? kept?.ms ?? null
  const streak = totalsOf(now).get(`${kind}/${game}`)?.streak ?? 0
  const texts = [
    isBest && t('memory.newBest', { game: gameName(game), time: finishText(ms) }),
    !isBest && ms !== null && best !== null && t('memory.best', { time: finishText(best) }),
    streak > 1 && t('memory.streak', { count: streak }),
    kind === 'day' && t('memory.tomorrow', { count: Math.max(1, daysInARow(now, Date.now())) }),
  ].filter(Boolean)
  return (
    <>
      {texts.length > 0 && <p data-part="best">{texts.join(' · ')}</p>}
      {par != null && <p data-part="par">{t('memory.par', { count: par })}</p>}
    </>
  )
}
