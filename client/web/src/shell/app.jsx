import { useEffect, useState } from 'preact/hooks'
import { HOSTING } from '../browser/route.js'
import { isSeeking, racerAt } from '../model/race/room-view.js'
import { closingText } from '../net/close-codes.js'
import { Front } from '../pages/front.jsx'
import { Button } from '../parts/controls/button.jsx'
import { useDerived, useLater, usePageTitle, usePhase, useSite } from '../parts/hooks.js'
import { lazyDialog, lazyExtra, lazyPage } from '../parts/page/lazy.jsx'
import { reach } from '../parts/room/reach.js'
import { KICKED, ROOM_GONE, TAKEN_OVER } from '../protocol/constants.js'
import { t } from '../words/translate.js'
// As a value, because the front file then has the bundler's helper for that: otherwise it would be one more file to fetch.
import * as roomPages from './room-pages.js'

/** @import { View } from '../protocol/protocol.d.ts' */

const End = lazyPage(['race', 'more'], async () => (await import('../pages/end.jsx')).End)
const Practice = lazyPage(['race', 'more'], async () => (await import('../pages/practice.jsx')).Practice)

const Join = lazyPage(['join'], async () => (await import('../pages/join.jsx')).Join)
const Seek = lazyPage(['race', 'more'], async () => (await import('../pages/seek.jsx')).Seek)
const Coach = lazyPage(['race', 'more'], async () => (await import('../pages/coach.jsx')).Coach)
const Watching = lazyPage(['race', 'more'], async () => (await import('./watching.jsx')).Watching)
const Replay = lazyPage(['race', 'more'], async () => (await import('../replay/load-page.jsx')).Replay)
const WatchPage = lazyPage(['race', 'more'], async () => (await import('../watch/page.jsx')).WatchPage)
const Reactions = lazyExtra(['more'], async () => (await import('../parts/chat/reactions.jsx')).Reactions)
const LeaveDialog = lazyDialog(['more'], async () => (await import('../parts/page/leave-dialog.jsx')).LeaveDialog)
const Overlay = lazyExtra(['race'], async () => (await import('../watch/overlay.jsx')).Overlay)
const Tournament = lazyPage(['race', 'more', 'tournament'], async () => (await import('./tournament-seat.jsx')).TournamentSeat)
const ArenaRace = lazyPage(['race', 'more', 'challenge'], async () => (await import('./arena-race.jsx')).ArenaRace)
const Challenge = lazyPage(['race', 'more', 'challenge'], async () => (await import('../pages/challenge.jsx')).Challenge)
const DoorEvent = lazyExtra(['race', 'tournament'], async () => (await import('../tournament/door.jsx')).DoorEvent)
const HostTournament = lazyPage(
  ['race', 'more', 'tournament'],
  async () => (await import('../tournament/new-tournament.jsx')).HostTournament,
)
const Projector = lazyPage(
  ['race', 'more', 'tournament'],
  async () => (await import('../tournament/projector.jsx')).ProjectorDoor,
)
const Me = lazyPage(['race', 'memory'], async () => (await import('../pages/me.jsx')).Me)
const Series = lazyPage(['race', 'tournament'], async () => (await import('../tournament/series-page.jsx')).SeriesPage)

/**
 * The room of the player's seat, by its phase. The end page of a race stays until the player leaves it, but a new race replaces
 * it.
 * @param {{view: View, seat: number}} props
 */
function Seated({ view, seat }) {
  const { session, prefs } = useSite()
  const phase = usePhase(view)
  const [ended, setEnded] = useState(/** @type {View | null} */ (null))
  // The number of the race with a closed end page. A player who joins after a race sees the room.
  const [turned, setTurned] = useState(() => (view.race.over_at != null && !racerAt(view, seat) ? view.race.number : 0))
  const [looking, setLooking] = useState(false) // at the boards of the others
  const isOver = phase === 'over' && view.race.racers !== undefined

  useEffect(() => {
    if (isOver) setEnded(view)
  }, [isOver, view])

  // The end page must be there when the race ends, but is not needed before the first move.
  const plays = useDerived(() => (session.shown.value?.moves ?? 0) > 0, [session])
  useEffect(() => {
    if (plays) End.preload()
  }, [plays])

  usePageTitle(view.code)

  const runs = phase === 'countdown' || phase === 'racing'
  useEffect(() => {
    if (runs) return
    setLooking(false)
    prefs.zen.value = false
  }, [runs])

  const last = isOver ? view : ended
  const own = runs ? racerAt(view, seat) : null
  const canLook = runs && own?.state !== 'racing' && view.settings.watching !== 'nobody'
  const onWatch = canLook ? () => setLooking(true) : undefined
  if (canLook && looking) return <WatchPage view={view} seat={seat} onBack={() => setLooking(false)} />
  if (own) return <roomPages.RacePage view={view} seat={seat} onWatch={onWatch} />
  if (!runs && last && last.race.number !== turned) {
    return <End ended={last} view={view} seat={seat} onRoom={() => setTurned(last.race.number)} />
  }
  return <roomPages.Room view={view} seat={seat} onBack={!runs && last ? () => setTurned(0) : undefined} onWatch={onWatch} />
}

/** A page with only a message. @param {{title: string, text?: string, children?: any, page: string}} props */
const Plain = ({ title, text, children, page }) => (
  <main class="narrow plain" data-page={page}>
    <section class="card">
      <h1>{title}</h1>
      {text && <p>{text}</p>}
      {children && <div class="row">{children}</div>}
    </section>
  </main>
)

/** @param {{code: string}} props */
function AtRoom({ code }) {
  const { session, seats, prefs, visit } = useSite()
  const view = session.view.value
  const isIn = view?.code === code && session.seat.value > 0
  if (isIn ? isSeeking(view) : visit.sought.value) return <Seek />
  if (isIn) {
    const Here = view.tournament ? Tournament : view.arena ? ArenaRace : Seated
    return <Here view={view} seat={session.seat.value} />
  }
  if (!visit.returning.value) return <Join code={code} Event={DoorEvent} />
  const name = seats.at(code)?.name ?? prefs.name.value
  return <Plain page="returning" title={t('front.roomTitle', { code })} text={t('front.backToSeat', { name })} />
}

const Moved = lazyExtra(['share'], async () => (await import('../parts/room/sharing.jsx')).Moved)

const PASSING = 'store-back' // good news disappears without a click
const PASSES_AFTER = 6000

/** Messages for all at the top of the page: the connection is lost, the server cannot save, data was lost. */
function Banners() {
  const { session, online } = useSite()
  const connection = session.connection.value
  const notice = session.notice.value
  const dismiss = () => (session.notice.value = null)
  useLater(() => notice?.code === PASSING && dismiss(), PASSES_AFTER, [notice])

  return (
    <div class="banners" role="status">
      {connection.is === 'lost' && (
        <p class="banner banner-line">
          {online.value ? t('front.reconnecting', { why: closingText(connection.code) }) : t('front.offline')}
        </p>
      )}
      {reach.value.share.url === location.origin && <Moved />}
      {notice && (
        <p class="banner" data-notice={notice.code}>
          {notice.message}
          <Button kind="quiet icon" icon="close" label={t('front.dismiss')} onClick={dismiss} />
        </p>
      )}
    </div>
  )
}

/** The lesson that covers the page. @param {{lesson: import('../parts/hooks.js').Lesson}} props */
function Lesson({ lesson: { game, done = 'front.close' } }) {
  const { lesson } = useSite()
  return <Coach game={game} done={t(done)} onDone={() => (lesson.value = null)} />
}

export function App() {
  const { session, route, lesson, visit } = useSite()
  const { code, watching, replay, page } = route.place.value
  const connection = session.connection.value

  // Preload the room page on the first interaction with the front page.
  useEffect(() => {
    const bring = () => Object.values(roomPages).forEach((Page) => Page.preload())
    if (code) return bring()
    const stop = new AbortController()
    for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, bring, { once: true, signal: stop.signal })
    return () => stop.abort()
  }, [code])

  // The start of a race closes the lesson and the question about leaving.
  const race = session.view.value?.race
  const isCalled = race?.starts_at != null && race.over_at == null
  useEffect(() => {
    if (!isCalled) return
    lesson.value = null
    visit.leaving.value = null
  }, [isCalled])

  if (code && page === 'o') return <Overlay key={code} code={code} />
  if (connection.is === 'stopped' && connection.code === TAKEN_OVER) {
    return (
      <Plain page="taken-over" title={closingText(connection.code)} text={t('front.oneTab')}>
        <Button kind="main large" onClick={session.useHere} text={t('front.useHere')} />
      </Plain>
    )
  }
  if (connection.is === 'stopped' && connection.code !== KICKED && connection.code !== ROOM_GONE) {
    return (
      <Plain page="stopped" title={t('front.stopped')} text={closingText(connection.code)}>
        <Button kind="main large" onClick={() => location.reload()} text={t('front.reload')} />
      </Plain>
    )
  }
  return (
    <>
      {lesson.value ? (
        <Lesson lesson={lesson.value} />
      ) : page === 'practice' ? (
        <Practice />
      ) : page === 'series' ? (
        <Series />
      ) : page === 'me' ? (
        <Me />
      ) : !code && route.hash.value === HOSTING ? (
        <HostTournament />
      ) : !code ? (
        <Front />
      ) : page === 'c' ? (
        <Challenge key={code} code={code} />
      ) : page === 'p' ? (
        <Projector key={code} code={code} />
      ) : replay ? (
        <Replay key={`${code}/${replay}`} code={code} race={replay} />
      ) : watching ? (
        <Watching key={code} code={code} />
      ) : (
        <AtRoom key={code} code={code} />
      )}
      {!lesson.value && session.reactions.value && <Reactions />}
      {!lesson.value && visit.leaving.value && <LeaveDialog key={visit.leaving.value} left={visit.leaving.value} />}
      <Banners />
    </>
  )
}
