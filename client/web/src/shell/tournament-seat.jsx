/** A tournament for a member of its room: the race page while the member races, otherwise the page of the event. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { racerAt } from '../model/race/room-view.js'
import { isArena } from '../model/tournament/arena-view.js'
import { RacePage } from '../pages/race.jsx'
import { usePageTitle, usePhase, useSite } from '../parts/hooks.js'
import { lazyPage } from '../parts/page/lazy.jsx'
import { RaceNews } from '../tournament/announcement.jsx'
import { ArenaRoom } from '../tournament/arena-room.jsx'
import { TournamentRoom } from '../tournament/room.jsx'
import { RoundEnd } from '../tournament/round-end.jsx'

/** @import { View } from '../protocol/protocol.d.ts' */

const WatchPage = lazyPage(['race', 'more'], async () => (await import('../watch/page.jsx')).WatchPage)

/** @param {{view: View, seat: number}} props seat: 0 for a watcher */
export function TournamentSeat({ view, seat }) {
  const { prefs } = useSite()
  const phase = usePhase(view)
  const [looking, setLooking] = useState(false) // at the boards
  const [away, setAway] = useState(false) // from the own board after the race
  const runs = phase === 'countdown' || phase === 'racing'
  const [ended, setEnded] = useState(/** @type {View | null} */ (null)) // the own last race, until the racer goes on
  const raced = useRef(0)
  const own = runs && seat > 0 ? racerAt(view, seat) : null
  const isRacing = own?.state === 'racing'
  const name = view.tournament?.plan.name

  useEffect(() => {
    if (!runs) {
      setLooking(false)
      setAway(false)
      prefs.zen.value = false
    }
  }, [runs])
  useEffect(() => {
    if (own) raced.current = view.race.number
    if (own) setEnded(null)
    else if (phase === 'over' && raced.current === view.race.number) {
      raced.current = 0
      setEnded(view)
    }
  }, [own !== null, phase, view.race.number])
  usePageTitle(name || view.code)

  const canLook = runs && !isRacing && view.settings.watching !== 'nobody' && !view.tournament?.plan.blind
  const onWatch = canLook ? () => setLooking(true) : undefined
  if (isArena(view.tournament)) return <ArenaRoom view={view} seat={seat} />
  if (canLook && looking) return <WatchPage view={view} seat={seat} onBack={() => setLooking(false)} />
  if (own && !away) {
    const onRoom = isRacing ? undefined : () => setAway(true)
    const news = view.tournament && <RaceNews code={view.code} tournament={view.tournament} />
    return <RacePage view={view} seat={seat} onWatch={onWatch} onRoom={onRoom} news={news} />
  }
  if (ended && !runs) return <RoundEnd ended={ended} view={view} seat={seat} onDone={() => setEnded(null)} />
  return <TournamentRoom view={view} seat={seat} onWatch={onWatch} onBoard={own ? () => setAway(false) : undefined} />
}
