import { waitingFor } from '../model/room-view.js'
import { gameName } from '../model/words.js'
import { Spoken } from '../pages/room.jsx'
import { ChatCard } from '../parts/chat.jsx'
import { useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { Head } from '../parts/page-head.jsx'
import { People } from '../parts/people.jsx'
import { RaceRules } from '../parts/race-rules.jsx'
import { WatcherCount } from '../parts/watcher-count.jsx'

/** Before a race there is nothing to watch but who comes. @param {{view: import('../model/room-view.js').View}} props */
export function WatchLobby({ view }) {
  const { route } = useSite()
  const last = view.race.number - 1
  return (
    <div class="page" data-page="watch" data-phase="lobby">
      <Head>
        <WatcherCount />
        <button type="button" class="button button-quiet" onClick={() => route.toRoom(view.code)}>
          Join the race
        </button>
      </Head>
      <main class="room">
        <h1 class="heard">Watching room {view.code}</h1>
        <div class="room-main">
          <section class="card ready-bar on-felt" aria-label="The next race">
            <p class="waiting" role="status">
              You watch room {view.code}. <Spoken sentence={waitingFor(view, 0)} />
            </p>
            {view.past?.[last] && (
              <button type="button" class="button" onClick={() => route.toReplay(view.code, last)}>
                <Icon name="play" /> Replay of race {last}
              </button>
            )}
          </section>
          <section class="card" aria-label="People">
            <h2>People</h2>
            <People view={view} seat={0} ready />
          </section>
        </div>
        <div class="room-side">
          <section class="card" aria-label="Rules of this race">
            <h2>{gameName(view.settings.game)}</h2>
            <RaceRules settings={view.settings} />
          </section>
          <ChatCard view={view} seat={0} />
        </div>
      </main>
    </div>
  )
}
