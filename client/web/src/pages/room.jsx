import { useEffect, useState } from 'preact/hooks'
import { difficultyText, gameName, isWinnable, winnableText } from '../model/game-texts.js'
import { racerAt } from '../model/race/room-view.js'
import { waitingFor } from '../model/race/waiting.js'
import { ChatCard } from '../parts/chat/chat.jsx'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton, focus } from '../parts/controls/confirm-button.jsx'
import { Wrong } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { useAction, usePhase, useSite } from '../parts/hooks.js'
import { lazyExtra, lazyPart } from '../parts/page/lazy.jsx'
import { DealsPreparing, SettingsForm } from '../parts/page/lazy-parts.js'
import { Head } from '../parts/page/page-head.jsx'
import { Invite } from '../parts/room/invite.jsx'
import { People } from '../parts/room/people.jsx'
import { RaceRules } from '../parts/settings/race-rules.jsx'
import { Said } from '../words/sentence.jsx'
import { t, withWords } from '../words/translate.js'
import './room.css'

/** @import { View } from '../protocol/protocol.d.ts' */

const RunningRace = lazyPart(withWords(['race', 'more'], async () => (await import('./room-later.jsx')).RunningRace))
const RenameForm = lazyPart(withWords(['race', 'more'], async () => (await import('./room-later.jsx')).RenameForm))
const Past = lazyExtra(withWords(['race', 'more'], async () => (await import('./room-later.jsx')).Past))

/** The levels of bots. */
const LEVELS = /** @type {const} */ ([1, 2, 3])

/** The ready button, the players it waits for, and the host's start. @param {{view: View, seat: number, over: boolean}} props */
function ReadyBar({ view, seat, over }) {
  const { session } = useSite()
  const me = view.people[seat]
  const alone = Object.keys(view.people).length === 1
  const isHost = view.host === seat
  const ready = useAction(() => (me?.ready ? session.unready() : session.ready()))
  const rematch = useAction(session.rematch)
  const start = useAction(async () => {
    // The host's own number goes into the deal first, which may already start the race.
    if (!me?.ready) await session.ready()
    await session.startRace().catch((refusal) => {
      if (refusal.code !== 'racing') throw refusal
    })
  })
  const error = start.error ?? ready.error ?? rematch.error
  const busy = start.busy || ready.busy || rematch.busy

  return (
    <section class="card ready-bar on-felt" aria-label={t('race.ready.label')}>
      <p class="waiting" role="status">
        {over ? t('race.ready.over') : alone && isHost ? t('race.ready.alone') : <Said saying={waitingFor(view, seat)} />}
      </p>
      <div class="row">
        {over ? (
          <Button kind="main large" disabled={busy} onClick={() => rematch.go()}>
            {t('race.ready.rematch')}
          </Button>
        ) : alone && isHost ? (
          <Button kind="main large" disabled={busy} onClick={() => start.go()}>
            {t('race.ready.startRace')}
          </Button>
        ) : (
          <>
            {isHost && (
              <Button kind="large" disabled={busy} onClick={() => start.go()}>
                {t('race.ready.startNow')}
              </Button>
            )}
            <Button kind="main large" class="ready" aria-pressed={me?.ready ?? false} disabled={busy} onClick={() => ready.go()}>
              {me?.ready ? (
                <>
                  <Icon name="check" /> {t('race.ready.ready')}
                </>
              ) : (
                t('race.ready.iAmReady')
              )}
            </Button>
          </>
        )}
      </div>
      {!over && isWinnable(view.settings.deal) ? (
        <DealsPreparing view={view} isHost={isHost} error={error} />
      ) : (
        error && <Wrong>{error.message}</Wrong>
      )}
    </section>
  )
}

/** The host's tools for the room. @param {{view: View}} props */
function HostTools({ view }) {
  const { session } = useSite()
  const [level, setLevel] = useState(/** @type {1 | 2 | 3} */ (2))
  const lock = useAction(session.lock)
  const bot = useAction(session.addBot)
  const error = lock.error ?? bot.error
  return (
    <div class="host-tools" role="group" aria-label={t('race.room.host')}>
      <Button
        icon={view.locked ? 'lock' : 'unlock'}
        aria-pressed={view.locked ?? false}
        disabled={lock.busy}
        onClick={() => lock.go(!view.locked)}
      >
        {t(view.locked ? 'race.room.locked' : 'race.room.lock')}
      </Button>
      <span class="joined">
        <Button icon="bot" disabled={bot.busy} onClick={() => bot.go(level)}>
          {t('race.room.addBot')}
        </Button>
        <select
          aria-label={t('race.room.botLevel')}
          value={String(level)}
          onChange={(event) => setLevel(LEVELS[event.currentTarget.selectedIndex] ?? 2)}
        >
          {LEVELS.map((one) => (
            <option key={one} value={String(one)}>
              {difficultyText(one)}
            </option>
          ))}
        </select>
      </span>
      {error && <Wrong>{error.message}</Wrong>}
    </div>
  )
}

/** @param {{name: string}} props */
function Rename({ name }) {
  const [open, setOpen] = useState(/** @type {boolean | null} */ (null))
  if (open) return <RenameForm name={name} onDone={() => setOpen(false)} />
  return (
    <Button kind="quiet small" ref={open === false ? focus : null} onClick={() => setOpen(true)}>
      {t('race.room.rename')}
    </Button>
  )
}

/** Offers the lesson to new players. @param {{game: string}} props */
function FirstTime({ game }) {
  const { prefs, lesson } = useSite()
  if (prefs.coached.value) return null
  return (
    <section class="card first-time" aria-label={t('race.room.firstTime')}>
      <p>{t('race.room.firstTimeText', { game: gameName(game) })}</p>
      <div class="row">
        <Button kind="quiet" onClick={() => (prefs.coached.value = true)}>
          {t('race.room.noThanks')}
        </Button>
        <Button icon="hint" onClick={() => (lesson.value = { game, done: 'race.room.backToIt' })}>
          {t('race.room.learn')}
        </Button>
      </div>
    </section>
  )
}

/**
 * The room between races, also for players that the current race excludes.
 * @param {{view: View, seat: number, onBack?: (() => void) | undefined, onWatch?: (() => void) | undefined}} props
 */
export function Room({ view, seat, onBack, onWatch }) {
  const phase = usePhase(view)
  const [editing, setEditing] = useState(false)
  const leave = useAction(useSite().visit.leave)
  const runs = phase === 'countdown' || phase === 'racing'
  const isHost = view.host === seat
  const me = view.people[seat]

  useEffect(() => {
    if (runs || !isHost) setEditing(false)
  }, [runs, isHost])

  return (
    <div class="page" data-page="room" data-phase={phase}>
      <Head>
        {onBack && (
          <Button kind="quiet" onClick={onBack}>
            {t('race.results.result')}
          </Button>
        )}
        <ConfirmButton
          class="button button-quiet"
          question={t('race.room.leaveQuestion')}
          yes={t('race.room.leave')}
          onYes={() => leave.go()}
        >
          <Icon name="out" /> {t('race.room.leave')}
        </ConfirmButton>
      </Head>
      <main class="room">
        <h1 class="heard">{t('front.roomTitle', { code: view.code })}</h1>
        <div class="room-main">
          <Invite code={view.code} />
          {runs ? (
            <RunningRace view={view} seat={seat} onWatch={onWatch} />
          ) : (
            <ReadyBar view={view} seat={seat} over={phase === 'over'} />
          )}
          {!runs && <FirstTime game={view.settings.game} />}
          <section class="card" aria-label={t('race.room.people')}>
            <div class="card-head">
              <h2>
                {t('race.room.people')}{' '}
                <span class="count">
                  {t('race.room.taken', { people: Object.keys(view.people).length, seats: view.settings.seats })}
                </span>
              </h2>
              {me && !racerAt(view, seat) && <Rename name={me.name} />}
            </div>
            <People view={view} seat={seat} ready={phase === 'lobby'} />
            {isHost && !runs && <HostTools view={view} />}
          </section>
          {Object.keys(view.past ?? {}).length > 0 && <Past view={view} seat={seat} />}
        </div>
        <div class="room-side">
          <section class="card" aria-label={t('race.room.rules')}>
            <div class="card-head">
              <h2>{t('race.room.rules')}</h2>
              {isHost && !runs && (
                <Button kind="small" onClick={() => setEditing(true)}>
                  {t('race.room.change')}
                </Button>
              )}
            </div>
            <p class="tags">
              <span class="badge">{t(view.settings.public ? 'race.room.public' : 'race.room.private')}</span>
              {view.locked && (
                <span class="badge">
                  <Icon name="lock" /> {t('race.room.lockedBadge')}
                </span>
              )}
              <span class="badge">{t('race.room.raceNumber', { number: view.race.number })}</span>
              {view.race.practice && <span class="badge badge-practice">{t('race.practice')}</span>}
              {isWinnable(view.settings.deal) && <span class="badge">{winnableText(view.race.stars)}</span>}
            </p>
            <RaceRules settings={view.settings} commitment={view.race.commitment} />
          </section>
          <ChatCard view={view} seat={seat} />
        </div>
      </main>
      {editing && <SettingsForm settings={view.settings} onClose={() => setEditing(false)} />}
    </div>
  )
}
