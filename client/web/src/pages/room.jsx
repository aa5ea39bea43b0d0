import { useEffect, useState } from 'preact/hooks'
import { gameName, isWinnable, lessonOf, winnableText } from '../model/game-texts.js'
import { racerAt } from '../model/race/room-view.js'
import { waitingFor } from '../model/race/waiting.js'
import { ChatCard } from '../parts/chat/chat.jsx'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton, focus } from '../parts/controls/confirm-button.jsx'
import { Wrong } from '../parts/controls/form-fields.jsx'
import { Badge } from '../parts/controls/icon.jsx'
import { useAction, useCommand, usePhase, useSite } from '../parts/hooks.js'
import { lazyExtra, lazyPart } from '../parts/page/lazy.jsx'
import { DealsPreparing, SettingsForm } from '../parts/page/lazy-parts.js'
import { Head } from '../parts/page/page-head.jsx'
import { Panel } from '../parts/page/panel.jsx'
import { AddBot } from '../parts/room/add-bot.jsx'
import { Invite } from '../parts/room/invite.jsx'
import { People } from '../parts/room/people.jsx'
import { RaceRules } from '../parts/settings/race-rules.jsx'
import { Said } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import './room.css'

/** @import { View } from '../protocol/protocol.d.ts' */

const RunningRace = lazyPart(['race', 'more'], async () => (await import('./room-later.jsx')).RunningRace)
const RenameForm = lazyPart(['race', 'more'], async () => (await import('./room-later.jsx')).RenameForm)
const MatchScore = lazyExtra(['race', 'more'], async () => (await import('./room-later.jsx')).MatchScore)
const Past = lazyExtra(['race', 'more'], async () => (await import('./room-later.jsx')).Past)

/** The ready button, the players it waits for, and the host's start. @param {{view: View, seat: number, over: boolean}} props */
function ReadyBar({ view, seat, over }) {
  const { session } = useSite()
  const alone = Object.keys(view.people).length === 1
  const isHost = view.host === seat
  const isReady = view.people[seat]?.ready ?? false
  const ready = useAction(() => (isReady ? session.ask('unready') : session.ready()))
  const rematch = useAction(session.rematch)
  const start = useAction(async () => {
    // The host's own number goes into the deal first, which may already start the race.
    if (!isReady) await session.ready()
    await session.ask('start').catch((refusal) => {
      if (refusal.code !== 'racing') throw refusal
    })
  })
  const error = start.error ?? ready.error ?? rematch.error
  const busy = start.busy || ready.busy || rematch.busy

  return (
    <section class="card ready-bar on-felt" aria-label={t('race.ready.ready')}>
      <p class="waiting" role="status">
        {over ? t('race.ready.over') : alone && isHost ? t('race.ready.alone') : <Said saying={waitingFor(view, seat)} />}
      </p>
      {view.match && <MatchScore view={view} />}
      <div class="row">
        {over ? (
          <Button
            kind="main large"
            disabled={busy}
            onClick={() => rematch.go()}
            text={t(racerAt(view, seat) ? 'race.ready.rematch' : 'race.ready.iAmReady')}
          />
        ) : alone && isHost ? (
          <Button kind="large" disabled={busy} onClick={() => start.go()} text={t('race.ready.startRace')} />
        ) : (
          <>
            {isHost && <Button kind="large" disabled={busy} onClick={() => start.go()} text={t('race.ready.startNow')} />}
            <Button
              kind="main large"
              class="ready"
              aria-pressed={isReady}
              disabled={busy}
              onClick={() => ready.go()}
              {...(isReady ? { icon: 'check', text: t('race.ready.ready') } : { text: t('race.ready.iAmReady') })}
            />
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
  const lock = useCommand('lock')
  return (
    <div class="host-tools" role="group" aria-label={t('race.room.host')}>
      <Button
        icon={view.locked ? 'lock' : 'unlock'}
        aria-pressed={view.locked ?? false}
        {...lock.button(!view.locked)}
        text={t(view.locked ? 'race.room.locked' : 'race.room.lock')}
      />
      <AddBot />
      {lock.error && <Wrong>{lock.error.message}</Wrong>}
    </div>
  )
}

/** @param {{name: string}} props */
function Rename({ name }) {
  const [open, setOpen] = useState(/** @type {boolean | null} */ (null))
  if (open) return <RenameForm name={name} onDone={() => setOpen(false)} />
  const ref = open === false ? focus : null
  return <Button kind="quiet small" ref={ref} onClick={() => setOpen(true)} text={t('race.room.rename')} />
}

/** Offers the lesson to new players. @param {{game: string}} props */
function FirstTime({ game }) {
  const { prefs, lesson } = useSite()
  if (prefs.coached.value) return null
  return (
    <section class="card first-time" aria-label={t('race.room.firstTime')}>
      <p>{t('race.room.firstTimeText', { game: gameName(lessonOf(game)) })}</p>
      <div class="row">
        <Button kind="quiet" onClick={() => (prefs.coached.value = true)} text={t('race.room.noThanks')} />
        <Button icon="hint" onClick={() => (lesson.value = { game, done: 'race.room.backToIt' })} text={t('race.room.learn')} />
      </div>
    </section>
  )
}

/**
 * The room between races, also for players that the current race excludes.
 * @param {{view: View, seat: number, onBack?: (() => void) | undefined, onWatch?: (() => void) | undefined}} props
 */
export function Room({ view, seat, onBack, onWatch }) {
  const { race, settings } = view
  const taken = t('race.room.taken', { people: Object.keys(view.people).length, seats: settings.seats })
  const phase = usePhase(view)
  const [editing, setEditing] = useState(false)
  const leave = useAction(useSite().visit.leave)
  const runs = phase === 'countdown' || phase === 'racing'
  const isHost = view.host === seat
  const me = view.people[seat]
  const edit = <Button kind="small" onClick={() => setEditing(true)} text={t('race.room.change')} />

  useEffect(() => {
    if (runs || !isHost) setEditing(false)
  }, [runs, isHost])

  return (
    <div class="page" data-page="room" data-phase={phase}>
      <Head>
        {onBack && <Button kind="quiet" onClick={onBack} text={t('race.results.result')} />}
        <ConfirmButton
          kind="quiet"
          icon="out"
          question={t('race.room.leaveQuestion')}
          onYes={() => leave.go()}
          text={t('race.room.leave')}
        />
      </Head>
      <main class="room">
        <h1 class="heard">{t('front.roomTitle', { code: view.code })}</h1>
        <div class="room-main">
          <Invite code={view.code} />
          {runs && <RunningRace view={view} seat={seat} onWatch={onWatch} />}
          {!runs && <ReadyBar view={view} seat={seat} over={phase === 'over'} />}
          {!runs && <FirstTime game={settings.game} />}
          <Panel title={t('race.room.people')} count={taken} tools={!racerAt(view, seat) && me && <Rename name={me.name} />}>
            <People view={view} seat={seat} ready={phase === 'lobby'} />
            {isHost && !runs && <HostTools view={view} />}
          </Panel>
          {Object.keys(view.past ?? {}).length > 0 && <Past view={view} seat={seat} />}
        </div>
        <div class="room-side">
          <Panel title={t('race.room.rules')} tools={isHost && !runs && edit}>
            <p class="tags">
              <Badge text={t(settings.public ? 'race.room.public' : 'race.room.private')} />
              {view.locked && <Badge icon="lock" text={t('race.room.lockedBadge')} />}
              <Badge text={t('race.room.raceNumber', { number: race.number })} />
              {isWinnable(settings.deal) && <Badge text={winnableText(race.stars)} />}
            </p>
            <RaceRules settings={settings} commitment={race.commitment} />
          </Panel>
          <ChatCard view={view} seat={seat} />
        </div>
      </main>
      {editing && <SettingsForm settings={settings} onClose={() => setEditing(false)} />}
    </div>
  )
}
