import { gameName } from '../model/game-texts.js'
import { waitingFor } from '../model/race/waiting.js'
import { ChatCard } from '../parts/chat/chat.jsx'
import { Button } from '../parts/controls/button.jsx'
import { useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { Panel } from '../parts/page/panel.jsx'
import { People, WatcherCount } from '../parts/room/people.jsx'
import { RaceRules } from '../parts/settings/race-rules.jsx'
import { Said } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import '../pages/room.css'

/** @import { View } from '../protocol/protocol.d.ts' */

/** Before a race, spectators see the people in the room. @param {{view: View}} props */
export function WatchLobby({ view }) {
  const { route } = useSite()
  const last = view.race.number - 1
  const tools = (
    <>
      <WatcherCount />
      <Button kind="quiet" text={t('watch.lobby.join')} onClick={() => route.toRoom(view.code)} />
    </>
  )
  return (
    <Page name="watch" main="room" data-phase="lobby" tools={tools}>
      <h1 class="heard">{t('watch.lobby.heading', { code: view.code })}</h1>
      <div class="room-main">
        <section class="card ready-bar on-felt" aria-label={t('watch.lobby.next')}>
          <p class="waiting" role="status">
            {t('watch.lobby.where', { code: view.code })} <Said saying={waitingFor(view, 0)} />
          </p>
          {view.past?.[last] && (
            <Button
              icon="play"
              text={t('more.room.replayOf', { number: last })}
              onClick={() => route.toReplay(view.code, last)}
            />
          )}
        </section>
        <Panel title={t('race.room.people')}>
          <People view={view} seat={0} ready />
        </Panel>
      </div>
      <div class="room-side">
        <Panel title={gameName(view.settings.game)} label={t('race.room.rules')}>
          <RaceRules settings={view.settings} />
        </Panel>
        <ChatCard view={view} seat={0} />
      </div>
    </Page>
  )
}
