import { useEffect, useState } from 'preact/hooks'
import { clockText, placeText } from '../model/format.js'
import { racerAt, standings, waitingFor } from '../model/room-view.js'
import { dealtIn, gameName, STATES } from '../model/words.js'
import { ChatCard } from '../parts/chat.jsx'
import { Ask } from '../parts/confirm-button.jsx'
import { NameField, Wrong } from '../parts/form-fields.jsx'
import { useAction, useNow, usePhase, useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { Invite } from '../parts/invite.jsx'
import { SettingsForm } from '../parts/later-parts.js'
import { Head } from '../parts/page-head.jsx'
import { People } from '../parts/people.jsx'
import { RaceRules } from '../parts/race-rules.jsx'
import { Lanes } from '../parts/racer-lanes.jsx'
import './room.css'

/** @typedef {import('../model/room-view.js').View} View */

/** Room for so many lanes while waiting for the next race. */
const LANES = 12

/** Ready or not, whom we wait for, and the host's start. @param {{view: View, seat: number, over: boolean}} props */
function ReadyBar({ view, seat, over }) {
  const { session } = useSite()
  const me = view.people[seat]
  const alone = Object.keys(view.people).length === 1
  const isHost = view.host === seat
  const ready = useAction(session.ready)
  const unready = useAction(session.unready)
  const rematch = useAction(session.rematch)
  const start = useAction(async () => {
    // One's own number goes into the deal first; that alone may start the race.
    if (!me?.ready) await session.ready()
    await session.startRace().catch((refusal) => {
      if (refusal.code !== 'racing') throw refusal
    })
  })
  const error = start.error ?? ready.error ?? unready.error ?? rematch.error
  const busy = start.busy || ready.busy || unready.busy || rematch.busy

  return (
    <section class="card ready-bar on-felt" aria-label="Ready">
      <p class="waiting" role="status">
        {over ? (
          'The race is over.'
        ) : alone && isHost ? (
          'You are alone here: race the clock, or wait for friends.'
        ) : (
          <Spoken sentence={waitingFor(view, seat)} />
        )}
      </p>
      <div class="row">
        {over ? (
          <button type="button" class="button button-main button-large" disabled={busy} onClick={() => rematch.go()}>
            Rematch
          </button>
        ) : alone && isHost ? (
          <button type="button" class="button button-main button-large" disabled={busy} onClick={() => start.go()}>
            Start race
          </button>
        ) : (
          <>
            {isHost && (
              <button type="button" class="button button-large" disabled={busy} onClick={() => start.go()}>
                Start now
              </button>
            )}
            <button
              type="button"
              class="button button-main button-large ready"
              aria-pressed={me?.ready ?? false}
              disabled={busy}
              onClick={() => (me?.ready ? unready.go() : ready.go())}
            >
              {me?.ready ? (
                <>
                  <Icon name="check" /> Ready
                </>
              ) : (
                'I’m ready'
              )}
            </button>
          </>
        )}
      </div>
      {error && <Wrong>{error.message}</Wrong>}
    </section>
  )
}

/** @param {{sentence: import('../model/room-view.js').Sentence}} props */
export const Spoken = ({ sentence }) => (
  <>{sentence.map((part) => (typeof part === 'string' ? part : <bdi key={part.name}>{part.name}</bdi>))}</>
)

/** A race that runs without us: how everybody is doing. @param {{view: View, seat: number, onWatch?: (() => void) | undefined}} props */
function RunningRace({ view, seat, onWatch }) {
  const { session } = useSite()
  const now = useNow(500)
  const { race, rows } = session.progress.value
  const lanes = standings(view, race === view.race.number ? rows : {}, dealtIn(view.settings.game))
  const starts = view.race.starts_at ?? now
  return (
    <section class="card running" aria-label="The running race">
      <div class="running-head">
        <h2>You are in for the next race</h2>
        <p class="running-clock" role="timer">
          {now < starts ? `starts in ${Math.ceil((starts - now) / 1000)}` : clockText(now - starts)}
        </p>
      </div>
      <p class="hint">
        {gameName(view.settings.game)}; it ends at the latest in {clockText((view.race.ends_at ?? now) - now)}.
      </p>
      <Lanes lanes={lanes} room={LANES} seat={seat} />
      {onWatch && (
        <button type="button" class="button" onClick={onWatch}>
          <Icon name="eye" /> Watch the boards
        </button>
      )}
    </section>
  )
}

/** The host's tools for the room as a whole. @param {{view: View}} props */
function HostTools({ view }) {
  const { session } = useSite()
  const [level, setLevel] = useState(2)
  const lock = useAction(session.lock)
  const bot = useAction(session.addBot)
  const error = lock.error ?? bot.error
  return (
    <div class="host-tools" role="group" aria-label="Host">
      <button
        type="button"
        class="button"
        aria-pressed={view.locked ?? false}
        disabled={lock.busy}
        onClick={() => lock.go(!view.locked)}
      >
        <Icon name={view.locked ? 'lock' : 'unlock'} /> {view.locked ? 'Locked' : 'Lock'}
      </button>
      <span class="joined">
        <button type="button" class="button" disabled={bot.busy} onClick={() => bot.go(level)}>
          <Icon name="bot" /> Add a bot
        </button>
        <select
          aria-label="Level of the bot"
          value={String(level)}
          onChange={(event) => setLevel(Number(event.currentTarget.value))}
        >
          <option value="1">easy</option>
          <option value="2">fair</option>
          <option value="3">strong</option>
        </select>
      </span>
      {error && <Wrong>{error.message}</Wrong>}
    </div>
  )
}

/** @param {{name: string}} props */
function Rename({ name }) {
  const { session, prefs, seats } = useSite()
  const [draft, setDraft] = useState(/** @type {string | null} */ (null))
  const rename = useAction(async (/** @type {string} */ to) => {
    await session.rename(to)
    prefs.name.value = to
    const code = session.view.value?.code
    if (code) seats.take(code, to)
  })
  if (draft === null) {
    return (
      <button type="button" class="button button-quiet button-small" onClick={() => setDraft(name)}>
        Change my name
      </button>
    )
  }
  return (
    <form
      class="rename"
      onSubmit={async (event) => {
        event.preventDefault()
        if (await rename.go(draft.trim())) setDraft(null)
      }}
    >
      <NameField value={draft} onInput={setDraft} error={rename.error?.message} required />
      <button class="button button-small button-main" disabled={rename.busy}>
        Save
      </button>
      <button type="button" class="button button-small" onClick={() => setDraft(null)}>
        Cancel
      </button>
    </form>
  )
}

/** For somebody who has never been taught a game. @param {{game: string}} props */
function FirstTime({ game }) {
  const { prefs, lesson } = useSite()
  if (prefs.coached.value) return null
  return (
    <section class="card first-time" aria-label="First time?">
      <p>First time? Learn {gameName(game)} in a minute, while you wait.</p>
      <div class="row">
        <button type="button" class="button button-quiet" onClick={() => (prefs.coached.value = true)}>
          No, thanks
        </button>
        <button type="button" class="button" onClick={() => (lesson.value = { game, done: 'Back to the room' })}>
          <Icon name="hint" /> Learn it
        </button>
      </div>
    </section>
  )
}

/** Earlier races of the room. @param {{view: View, seat: number}} props */
function Past({ view, seat }) {
  const { route } = useSite()
  const past = Object.entries(view.past ?? {}).sort((a, b) => Number(b[0]) - Number(a[0]))
  if (!past.length) return null
  return (
    <section class="card past" aria-label="Earlier races">
      <h2>Earlier races</h2>
      <ol>
        {past.map(([number, { game, places }]) => (
          <li key={number}>
            <p class="label past-head">
              Race {number} · {gameName(game)}
              <button
                type="button"
                class="button button-quiet button-small"
                aria-label={`Replay of race ${number}`}
                onClick={() => route.toReplay(view.code, Number(number), { endKnown: true })}
              >
                <Icon name="play" /> Replay
              </button>
            </p>
            <ul>
              {places
                .toSorted((a, b) => (a[2] ?? places.length + 1) - (b[2] ?? places.length + 1))
                .slice(0, 5)
                .map(([who, name, place, state, home, , ms]) => (
                  <li key={who} data-own={who === seat || undefined}>
                    <span>{place === null ? '–' : placeText(place)}</span> <bdi>{name}</bdi>{' '}
                    <span class="hint">
                      {state === 'solved' && ms !== null ? clockText(ms) : `${home} home, ${STATES[state]}`}
                    </span>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  )
}

/**
 * The room between races, and for those who came too late for the one that runs.
 *
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
          <button type="button" class="button button-quiet" onClick={onBack}>
            Result
          </button>
        )}
        <Ask class="button button-quiet" question="Leave for good?" yes="Leave" onYes={() => leave.go()}>
          <Icon name="out" /> Leave
        </Ask>
      </Head>
      <main class="room">
        <h1 class="heard">Room {view.code}</h1>
        <div class="room-main">
          <Invite code={view.code} />
          {runs ? (
            <RunningRace view={view} seat={seat} onWatch={onWatch} />
          ) : (
            <ReadyBar view={view} seat={seat} over={phase === 'over'} />
          )}
          {!runs && <FirstTime game={view.settings.game} />}
          <section class="card" aria-label="People">
            <div class="card-head">
              <h2>
                People{' '}
                <span class="count">
                  {Object.keys(view.people).length} of {view.settings.seats}
                </span>
              </h2>
              {me && !racerAt(view, seat) && <Rename key={me.name} name={me.name} />}
            </div>
            <People view={view} seat={seat} ready={phase === 'lobby'} />
            {isHost && !runs && <HostTools view={view} />}
          </section>
          <Past view={view} seat={seat} />
        </div>
        <div class="room-side">
          <section class="card" aria-label="Rules of this race">
            <div class="card-head">
              <h2>Rules of this race</h2>
              {isHost && !runs && (
                <button type="button" class="button button-small" onClick={() => setEditing(true)}>
                  Change
                </button>
              )}
            </div>
            <p class="tags">
              <span class="badge">{view.settings.public ? 'public room' : 'private room'}</span>
              {view.locked && (
                <span class="badge">
                  <Icon name="lock" /> locked
                </span>
              )}
              <span class="badge">race {view.race.number}</span>
              {view.race.practice && <span class="badge badge-practice">practice</span>}
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
