import { useEffect } from 'preact/hooks'
import { clockText } from '../model/format.js'
import { gameLine, gameName } from '../model/game-texts.js'
import { otherGameText } from '../model/race/rule-texts.js'
import { BOT_AFTER, nextStep, othersHere, roomsFor, settingsFor } from '../model/race/seek.js'
import { Button } from '../parts/controls/button.jsx'
import { Face } from '../parts/controls/face.jsx'
import { Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, useNow, usePolled, useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { t } from '../words/translate.js'
import { seekIn } from './find-opponent.js'
import './seek.css'

/** @import { SeekRoom } from '../model/race/seek.js' */

const LOOK_EVERY = 2000 // ms

/** The wait for an opponent. It stays while the player moves from one room to another. */
export function Seek() {
  const site = useSite()
  const { session, visit, prefs } = site
  const view = session.view.value
  const seat = session.seat.value
  const { sought } = visit
  const left = useNow(250, (now) => Math.ceil(Math.max(0, (sought.value || now) + BOT_AFTER - now) / 1000))
  const rooms = /** @type {{rooms: SeekRoom[]} | null} */ (usePolled('/api/rooms', LOOK_EVERY))?.rooms
  const me = view?.people[seat]
  const others = view ? othersHere(view, seat) : 0
  const game = view?.settings.game ?? ''

  const go = (/** @type {string[]} */ ...codes) => seekIn(site, me?.name ?? '', settingsFor(game), codes)
  const act = useAction((/** @type {NonNullable<ReturnType<typeof nextStep>>} */ step) => {
    if (step === 'ready') return session.ready()
    if (step === 'elsewhere') return go()
    return step === 'bot' ? session.ask('bot', 1) : session.ask('start')
  })
  const move = useAction(go)
  const leave = useAction(visit.leave)

  useEffect(() => {
    sought.value ||= session.clock.now()
  }, [])
  const step = view && nextStep(view, seat, left === 0)
  useEffect(() => void (step && act.go(step)), [step])
  useEffect(() => {
    const [better] = view && rooms && !others && left ? roomsFor(rooms, session.clock.now(), game, view.code) : []
    if (better && !move.busy) move.go(better)
  }, [rooms])

  const error = act.error ?? move.error ?? leave.error
  return (
    <Page name="seek" main="narrow">
      <section class="card seek">
        <h1>{t('more.seek.title')}</h1>
        <p class="seek-faces" aria-hidden="true">
          {Object.entries(view?.faces ?? {})
            .filter(([who]) => view?.people[who]?.here)
            .map(([who, face]) => (
              <Face key={who} face={face} />
            ))}
          <i class="seek-free">?</i>
        </p>
        <p role="status">{me && t('more.seek.you', { name: me.name })}</p>
        <p class="seek-left" role="timer">
          {t('more.seek.left', { time: clockText(left * 1000) })}
        </p>
        {view && (
          <p class="hint">
            {otherGameText(view.settings, prefs.game.value) || [gameName(game), gameLine(game)].filter(Boolean).join(': ')}
          </p>
        )}
        {error && <Wrong>{error.message}</Wrong>}
        <div class="row">
          <Button icon="bot" disabled={act.busy || view?.host !== seat} onClick={() => act.go('bot')} text={t('front.raceBot')} />
          <Button kind="quiet" icon="out" disabled={leave.busy} onClick={() => leave.go()} text={t('more.seek.stop')} />
        </div>
      </section>
    </Page>
  )
}
