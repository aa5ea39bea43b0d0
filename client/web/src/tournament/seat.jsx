/** A tournament, for somebody who is in its room: the race while one races, else its page. */
import { useEffect, useState } from 'preact/hooks'
import { usePhase, useSite } from '../app/site.js'
import { racerAt } from '../net/view.js'
import { RacePage } from '../pages/race.jsx'
import { later } from '../parts/later.jsx'
import { TournamentRoom } from './room.jsx'

const WatchPage = later(async () => (await import('../watch/page.jsx')).WatchPage)

/** @param {{view: import('../net/view.js').View, seat: number}} props seat: 0 for a watcher */
export function TournamentSeat({ view, seat }) {
  const { prefs } = useSite()
  const phase = usePhase(view)
  const [looking, setLooking] = useState(false) // at the boards
  const [away, setAway] = useState(false) // from one's own board, when one is done
  const runs = phase === 'countdown' || phase === 'racing'
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
    document.title = `${name || view.code} · Forty Thieves Race`
    return () => {
      document.title = 'Forty Thieves Race'
    }
  }, [view.code, name])

  const canLook = runs && !isRacing && view.settings.watching !== 'nobody' && !view.tournament?.plan.blind
  const onWatch = canLook ? () => setLooking(true) : undefined
  if (canLook && looking) return <WatchPage view={view} seat={seat} onBack={() => setLooking(false)} />
  if (own && !away) {
    return <RacePage view={view} seat={seat} onWatch={onWatch} onRoom={isRacing ? undefined : () => setAway(true)} />
  }
  return <TournamentRoom view={view} seat={seat} onWatch={onWatch} onBoard={own ? () => setAway(false) : undefined} />
}
