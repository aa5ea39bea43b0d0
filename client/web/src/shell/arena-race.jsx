/** A race of an arena in its own room. Its racers return to the arena afterwards. */
import { useEffect } from 'preact/hooks'
import { racerAt } from '../model/race/room-view.js'
import { End } from '../pages/end.jsx'
import { RacePage } from '../pages/race.jsx'
import { Button } from '../parts/controls/button.jsx'
import { usePhase, useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { t } from '../words/translate.js'
import '../pages/room.css'

/** @import { View } from '../protocol/protocol.d.ts' */

/** Before the race: the opponents. @param {{view: View, seat: number, onArena: () => void}} props */
const Before = ({ view, seat, onArena }) => (
  <Page name="called" main="narrow">
    <section class="card on-felt" aria-label={t('more.arena.next')}>
      <h1>{t('more.arena.next')}</h1>
      <ul class="called">
        {Object.entries(view.people).map(([who, { name, here }]) => (
          <li key={who} data-seat={who} data-here={here || undefined}>
            <bdi>{name}</bdi>
            {Number(who) === seat && <span class="lane-you"> {t('front.you')}</span>}
            {!here && <small> {t('more.arena.coming')}</small>}
          </li>
        ))}
      </ul>
      <p role="status">{t('more.arena.soon')}</p>
      <div class="row">
        <Button onClick={onArena} text={t('more.arena.back')} />
      </div>
    </section>
  </Page>
)

/** @param {{view: View, seat: number}} props */
export function ArenaRace({ view, seat }) {
  const { route, prefs } = useSite()
  const phase = usePhase(view)
  const own = racerAt(view, seat)
  const onArena = () => route.toRoom(view.arena ?? '')
  const isOver = phase === 'over' && view.race.racers !== undefined

  useEffect(() => {
    if (isOver) prefs.zen.value = false
  }, [isOver])
  if (isOver) return <End ended={view} view={view} seat={seat} onRoom={onArena} />
  if (own) return <RacePage view={view} seat={seat} onRoom={own.state === 'racing' ? undefined : onArena} />
  return <Before view={view} seat={seat} onArena={onArena} />
}
