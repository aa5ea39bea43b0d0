/** The way to a replay: its record has to come first. */
import { useEffect, useState } from 'preact/hooks'
import { ghostsIn } from '../model/link-fragments.js'
import { isCalledSoon, racerAt } from '../model/race/room-view.js'
import { loadRecord } from '../net/load-record.js'
import { Refusal } from '../net/refusal.js'
import { Button } from '../parts/controls/button.jsx'
import { useLoaded, usePageTitle, usePhase, useSite } from '../parts/hooks.js'
import { BackToRoom } from '../parts/page/back-to-room.jsx'
import { lazyPage } from '../parts/page/lazy.jsx'
import { Page } from '../parts/page/page-head.jsx'
import { t } from '../words/translate.js'
import { Player } from './player.jsx'

/** @import { View } from '../protocol/protocol.d.ts' */
/** @import { RaceRecord } from '../record/race-record.js' */

const PracticeOfRace = lazyPage(['race', 'more'], async () => (await import('../pages/practice.jsx')).PracticeOfRace)

/** The reason for a missing replay, and what to do. */
const HELP = /** @type {const} */ ({ 'unknown-race': 'watch.door.unknownRace', 'not-over-yet': 'watch.door.notOverYet' })

/**
 * Returns a player with a seat to the room when its next race begins, with a notice.
 * @param {{view: View, seat: number}} props
 */
function CallBack({ view, seat }) {
  const { route } = useSite()
  const phase = usePhase(view)
  const isCalled = (phase === 'countdown' || phase === 'racing') && racerAt(view, seat)?.state === 'racing'
  useEffect(() => {
    if (isCalled) route.toRoom(view.code)
  }, [isCalled])
  return (
    <div class="banners" role="status">
      {isCalledSoon(view, seat) && (
        <p class="banner" data-notice="called-soon">
          {t('watch.door.roundSoon', { round: view.tournament?.round ?? 0 })}
          <Button kind="small" text={t('watch.door.goThere')} onClick={() => route.toRoom(view.code)} />
        </p>
      )}
    </div>
  )
}

/** @param {{code: string, race: number}} props */
export function Replay({ code, race }) {
  const { session, route, get } = useSite()
  const [tries, setTries] = useState(0)
  const asRefusal = (/** @type {unknown} */ error) => (error instanceof Refusal ? error : new Refusal('bug'))
  const found = useLoaded(() => loadRecord(code, race, get).catch(asRefusal), [code, race, tries])
  const wrong = found instanceof Refusal ? found : null
  usePageTitle(t('watch.title.replay', { code, race }))

  const help = wrong && HELP[/** @type {keyof typeof HELP} */ (wrong.code)]
  const view = session.view.value
  const calledBack = view && session.seat.value > 0 ? <CallBack view={view} seat={session.seat.value} /> : null
  const ghosts = ghostsIn(route.hash.value)
  if (found && !wrong) {
    const record = /** @type {RaceRecord} */ (found)
    return (
      <>
        {ghosts === null ? <Player record={record} /> : <PracticeOfRace record={record} ghosts={ghosts} />}
        {calledBack}
      </>
    )
  }
  return (
    <Page name="replay-door" main="narrow plain" tools={<BackToRoom />} after={calledBack}>
      <section class="card">
        <p class="label">{t('race.room.replay')}</p>
        <h1>{t('watch.door.record', { race, code })}</h1>
        {wrong ? (
          <div class="wrong-box" role="alert" data-error={wrong.code}>
            <p>{wrong.message}</p>
            {help && <p class="hint">{t(help)}</p>}
          </div>
        ) : (
          <p role="status">{t('watch.door.loading')}</p>
        )}
        {wrong && (
          <div class="row row-end">
            <Button kind="quiet" text={t('front.join.frontPage')} onClick={route.toFront} />
            {wrong.code === 'not-over-yet' && (
              <Button kind="main" text={t('watch.door.watch')} onClick={() => route.toWatch(code)} />
            )}
            {wrong.code !== 'unknown-race' && <Button text={t('front.retry')} onClick={() => setTries(tries + 1)} />}
          </div>
        )}
      </section>
    </Page>
  )
}
