/** A race of an arena, or a try of a challenge, in its own room. Its racers return from there afterwards. */
import { useEffect, useMemo } from 'preact/hooks'
import { dealtIn, gameName } from '../model/game-texts.js'
import { against, ghostLane } from '../model/race/challenge.js'
import { isOfDay, isTry, racerAt, standings } from '../model/race/room-view.js'
import { End } from '../pages/end.jsx'
import { RacePage } from '../pages/race.jsx'
import { Button } from '../parts/controls/button.jsx'
import { useLoaded, usePhase, useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { t } from '../words/translate.js'
import '../pages/room-later.css'

/** @import { View } from '../protocol/protocol.d.ts' */
/** @import { Lane } from '../model/race/room-view.js' */

/** Before the race: the opponents. @param {{view: View, seat: number, onArena: () => void}} props */
const Before = ({ view, seat, onArena }) => (
  <Page name="called" main="narrow">
    <section class="card on-felt" aria-label={t('more.arena.next')}>
      <h1>{t(isTry(view) ? 'challenge.yourTry' : 'more.arena.next')}</h1>
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
        <Button onClick={onArena} text={t(isTry(view) ? 'challenge.back' : 'more.arena.back')} />
      </div>
    </section>
  </Page>
)

/**
 * In a try: the challenger's lane some ms after the start.
 * @param {View} view @returns {((ms: number) => Lane) | undefined}
 */
function useGhost(view) {
  const { get } = useSite()
  const challenge = useLoaded(async () => {
    if (!isTry(view)) return null
    const answer = await get(`/api/rooms/${view.arena}`)
    return answer.ok ? (await answer.json()).challenge : null
  }, [view.arena])
  const dealt = dealtIn(view.settings.game)?.home ?? 0
  return useMemo(() => (challenge?.result ? (ms) => ghostLane(challenge, ms, dealt) : undefined), [challenge, dealt])
}

const PLACE_COMES = 5 // how often a finished try asks for its place, which its challenge gives soon
const ASKS_EVERY = 1000 // ms

/** The place of a finished try among the others. @param {{view: View}} props */
function TryPlace({ view }) {
  const { get } = useSite()
  const own = useLoaded(async () => {
    for (let n = 0; n < PLACE_COMES; n++) {
      const { own } = await (await get(`/api/rooms/${view.arena}`)).json()
      if (own) return own
      await new Promise((done) => setTimeout(done, ASKS_EVERY))
    }
  }, [view.arena])
  if (!own) return null
  const [place, count] = own
  return (
    <p class="margin-words" role="status" data-part="try-place">
      {count > 1 ? t('challenge.place', { place, count }) : t('challenge.first')}
    </p>
  )
}

/** @param {{view: View, seat: number}} props */
export function ArenaRace({ view, seat }) {
  const { route, prefs } = useSite()
  const phase = usePhase(view)
  const own = racerAt(view, seat)
  const onArena = () => (isTry(view) ? route.toChallenge : route.toRoom)(view.arena ?? '')
  const ghost = useGhost(view)
  const isOver = phase === 'over' && view.race.racers !== undefined

  useEffect(() => {
    if (isOver) prefs.zen.value = false
  }, [isOver])
  if (isOver) {
    const [lane] = standings(view, {})
    const tried = lane && { ...lane, since: (own?.reached_at ?? 0) - (view.race.starts_at ?? 0) }
    const rival = ghost?.(Infinity)
    const heading = isOfDay(view)
      ? t('challenge.day.heading', { game: gameName(view.settings.game) })
      : rival && t('challenge.title', { name: rival.name })
    return (
      <End
        {...{ ended: view, view, seat, onRoom: onArena, heading }}
        placed={isTry(view) && <TryPlace view={view} />}
        met={tried && rival && !isOfDay(view) ? against(tried, rival) : undefined}
      />
    )
  }
  if (own) return <RacePage view={view} seat={seat} ghost={ghost} onRoom={own.state === 'racing' ? undefined : onArena} />
  return <Before view={view} seat={seat} onArena={onArena} />
}
