/** The way to a replay: its record has to come first. */
import { useEffect, useState } from 'preact/hooks'
import { HELP } from '../model/replay/words.js'
import { isCalledSoon, racerAt } from '../model/room-view.js'
import { loadRecord } from '../net/load-record.js'
import { usePhase, useSite } from '../parts/hooks.js'
import { Head } from '../parts/page-head.jsx'
import { BackToRoom } from '../parts/rematch.jsx'
import { Player } from './player.jsx'

/** @typedef {import('../record/race-record.js').RaceRecord} RaceRecord */

/**
 * Who has a seat in a room is called back when the next race there begins, and told so before.
 *
 * @param {{view: import('../model/room-view.js').View, seat: number}} props
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
          Round {view.tournament?.round} is about to start.
          <button type="button" class="button button-small" onClick={() => route.toRoom(view.code)}>
            Go there
          </button>
        </p>
      )}
    </div>
  )
}

/** @param {{code: string, race: number}} props */
export function Replay({ code, race }) {
  const { session, route, get } = useSite()
  const [record, setRecord] = useState(/** @type {RaceRecord | null} */ (null))
  const [wrong, setWrong] = useState(/** @type {{code: string, message: string} | null} */ (null))
  const [tries, setTries] = useState(0)

  useEffect(() => {
    let alive = true
    setWrong(null)
    loadRecord(code, race, get).then(
      (loaded) => alive && setRecord(loaded),
      (error) => alive && setWrong({ code: error.code ?? 'bug', message: error.message }),
    )
    return () => {
      alive = false
    }
  }, [code, race, tries])
  useEffect(() => {
    document.title = `Replay ${code}/${race} · Forty Thieves Race`
    return () => {
      document.title = 'Forty Thieves Race'
    }
  }, [code, race])

  const view = session.view.value
  const calledBack = view && session.seat.value > 0 ? <CallBack view={view} seat={session.seat.value} /> : null
  if (record) {
    return (
      <>
        <Player record={record} />
        {calledBack}
      </>
    )
  }
  return (
    <div class="page" data-page="replay-door">
      <Head>
        <BackToRoom />
      </Head>
      <main class="narrow plain">
        <section class="card">
          <p class="label">Replay</p>
          <h1>
            Race {race} in room {code}
          </h1>
          {wrong ? (
            <div class="wrong-box" role="alert" data-error={wrong.code}>
              <p>{wrong.message}</p>
              {HELP[wrong.code] && <p class="hint">{HELP[wrong.code]}</p>}
            </div>
          ) : (
            <p role="status">Bringing the record …</p>
          )}
          {wrong && (
            <div class="row row-end">
              <button type="button" class="button button-quiet" onClick={route.toFront}>
                Front page
              </button>
              {wrong.code === 'not-over-yet' && (
                <button type="button" class="button button-main" onClick={() => route.toWatch(code)}>
                  Watch it
                </button>
              )}
              {wrong.code !== 'unknown-race' && (
                <button type="button" class="button" onClick={() => setTries(tries + 1)}>
                  Try again
                </button>
              )}
            </div>
          )}
        </section>
      </main>
      {calledBack}
    </div>
  )
}
