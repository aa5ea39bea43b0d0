import { useEffect, useState } from 'preact/hooks'
import { dealNumber } from '../browser/deal-number.js'
import { codeFrom } from '../browser/route.js'
import { counted } from '../model/format.js'
import { about, DIFFICULTY, gameName, gamesInOrder } from '../model/words.js'
import { Layout } from '../parts/deal-picture.jsx'
import { Field, NameField, Switch, Wrong } from '../parts/form-fields.jsx'
import { Hero } from '../parts/hero.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import './front.css'

/**
 * @typedef {object} Listed
 * @property {string} code @property {string} game @property {string} host @property {number} people
 * @property {number} seats @property {string} phase
 * @property {boolean} open there is a seat
 * @property {boolean} watchable a race is on that everyone may watch
 * @property {{name: string, entry: string, phase: string, next_at: number | null} | null} [tournament]
 */

const LOOK_EVERY = 4000
/** How somebody is called who practises and has not said a name. */
const ALONE = 'Player'

/**
 * The rooms that anybody may enter, as long as somebody looks at them.
 *
 * @returns {Listed[] | null} null: not known yet
 */
function usePublicRooms() {
  const [rooms, setRooms] = useState(/** @type {Listed[] | null} */ (null))
  useEffect(() => {
    let alive = true
    async function look() {
      if (document.hidden) return
      try {
        const answer = await fetch('/api/rooms')
        const listed = (await answer.json()).rooms
        if (alive) setRooms(listed)
      } catch {
        // The server is not there; the banner about the lost connection says so.
      }
    }
    look()
    const timer = setInterval(look, LOOK_EVERY)
    document.addEventListener('visibilitychange', look)
    return () => {
      alive = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return rooms
}

const PHASES = /** @type {Record<string, string>} */ ({
  lobby: 'waiting',
  countdown: 'starting',
  racing: 'racing',
  over: 'between races',
})

/** Where a tournament is. */
const STAGES = /** @type {Record<string, string>} */ ({
  entry: 'not begun',
  drawn: 'a round is about to start',
  racing: 'a round is on',
  pause: 'between rounds',
  over: 'over',
})

/** @param {NonNullable<Listed['tournament']>} tournament */
function stageOf({ phase, next_at }) {
  if (phase !== 'entry' || next_at === null) return STAGES[phase]
  const when = new Date(next_at)
  const form = /** @type {const} */ ({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  return `starts ${when.toLocaleString([], form)}`
}

/** @param {{hard: 1 | 2 | 3}} props */
const Difficulty = ({ hard }) => (
  <span class="difficulty" data-hard={hard}>
    <span class="dots" aria-hidden="true">
      {[1, 2, 3].map((dot) => (
        <i key={dot} data-on={dot <= hard || undefined} />
      ))}
    </span>
    {DIFFICULTY[hard]}
  </span>
)

function NewRace() {
  const { visit, prefs } = useSite()
  const [isPublic, setPublic] = useState(false)
  const create = useAction(() => visit.create(prefs.name.value.trim(), { game: prefs.game.value, public: isPublic }))
  const badName = create.error?.code === 'bad-name' ? create.error.message : null

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault()
    create.go()
  }

  return (
    <form class="card new-race" onSubmit={submit} aria-label="New race">
      <NameField value={prefs.name.value} onInput={(name) => (prefs.name.value = name)} required error={badName} />
      <fieldset class="games">
        <legend>Game</legend>
        {gamesInOrder().map((game) => (
          <label key={game.key} class="game" data-game={game.key}>
            <input
              type="radio"
              name="game"
              checked={prefs.game.value === game.key}
              onChange={() => (prefs.game.value = game.key)}
            />
            <span class="game-inside">
              <Layout game={game} />
              <span class="game-name">{game.name}</span>
              <Difficulty hard={about(game.key).hard} />
              <span class="game-line">{about(game.key).line}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Switch
        label="Four colours"
        hint="On your screen, a colour for each suit"
        on={prefs.fourColour.value}
        onChange={(on) => (prefs.fourColour.value = on)}
      />
      <div class="new-race-foot">
        <Switch label="Public" hint="List it below" on={isPublic} onChange={setPublic} />
        <button class="button button-main button-large" disabled={create.busy}>
          Create race
        </button>
      </div>
      {create.error && !badName && <Wrong>{create.error.message}</Wrong>}
    </form>
  )
}

function JoinByCode() {
  const { route, seats } = useSite()
  const [text, setText] = useState('')
  const [error, setError] = useState(/** @type {string | null} */ (null))
  const latest = seats.latest()

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault()
    const code = codeFrom(text)
    if (code) route.toRoom(code)
    else setError('A room code has six letters. You can paste the link as well.')
  }

  return (
    <form class="card join-code" onSubmit={submit} aria-label="Join a race">
      <h2>Join a race</h2>
      <div class="join-row">
        <Field
          label="Room code or link"
          value={text}
          error={error}
          onInput={(value) => {
            setText(value)
            setError(null)
          }}
          placeholder="KQXWVD"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          required
        />
        <button class="button">Join</button>
      </div>
      {latest && (
        <button type="button" class="button button-quiet back-to" onClick={() => route.toRoom(latest.code)}>
          <Icon name="back" /> Back to room {latest.code}
        </button>
      )}
    </form>
  )
}

/** Alone and at once, on cards that nobody knows or on those of a number. Without a server, a number is all there can be. */
function Practise() {
  const { visit, prefs, session, lesson, route } = useSite()
  const [number, setNumber] = useState('')
  const game = prefs.game.value
  const isAlone = session.line.value.is === 'lost'
  const practise = useAction(async () => {
    if (isAlone) return route.toPractice(game, dealNumber(number))
    const deal = number.trim() || 'secret'
    await visit.create(prefs.name.value.trim() || ALONE, { game, deal, seats: 1, countdown: 3, hints: true })
    await session.ready()
  })

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault()
    // Whoever comes for the first time is taught the game first.
    if (prefs.coached.value || isAlone) practise.go()
    else lesson.value = { game, done: 'Practise', onDone: () => void practise.go() }
  }

  return (
    <form class="card practise" onSubmit={submit} aria-label="Practise">
      <h2>Practise</h2>
      <p class="hint" data-part="practise-words">
        {isAlone
          ? `The server cannot be reached. You can still play numbered deals of ${gameName(game)} on this device.`
          : `Alone and at once: ${gameName(game)}, with hints.`}
      </p>
      <div class="join-row">
        <Field
          label="Deal number"
          value={number}
          error={practise.error?.message ?? null}
          onInput={(value) => {
            setNumber(value)
            practise.clear()
          }}
          placeholder="Any cards"
          inputmode="numeric"
          autocomplete="off"
        />
        <button class="button" disabled={practise.busy}>
          Practise
        </button>
      </div>
      <button type="button" class="button button-quiet" onClick={() => (lesson.value = { game })}>
        <Icon name="hint" /> Learn {gameName(game)} in a minute
      </button>
    </form>
  )
}

function PublicRooms() {
  const { route, session } = useSite()
  const rooms = usePublicRooms()
  const isLost = session.line.value.is === 'lost'
  return (
    <section class="card public" aria-label="Open rooms">
      <h2>Rooms to join or watch</h2>
      {!rooms?.length && (
        <p class="hint">
          {rooms
            ? 'No open rooms right now. Make yours public and it is listed here.'
            : isLost
              ? 'Rooms need the server.'
              : 'Looking …'}
        </p>
      )}
      <ul class="public-rooms">
        {rooms?.map((room) => (
          <li key={room.code} class="public-row">
            <a
              class="public-room"
              href={room.open ? `/r/${room.code}` : `/r/${room.code}/w`}
              data-code={room.code}
              onClick={(event) => {
                event.preventDefault()
                room.open ? route.toRoom(room.code) : route.toWatch(room.code)
              }}
            >
              <span class="public-game">{room.tournament?.name || gameName(room.game)}</span>
              <span class="public-host">
                with <bdi>{room.host}</bdi>
              </span>
              <span class="public-count">
                {room.tournament
                  ? `Tournament${room.tournament.entry === 'open' ? '' : `, by ${room.tournament.entry}`} · ${room.people} in · ${stageOf(room.tournament)}`
                  : `${room.people} of ${counted(room.seats, 'seat')} · ${PHASES[room.phase] ?? room.phase}`}
              </span>
            </a>
            {room.watchable && (
              <a
                class="button button-small"
                href={`/r/${room.code}/w`}
                aria-label={`Watch room ${room.code}`}
                onClick={(event) => {
                  event.preventDefault()
                  route.toWatch(room.code)
                }}
              >
                <Icon name="eye" /> Watch
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Front() {
  const { route } = useSite()
  return (
    <main class="front" data-page="front">
      <Hero />
      <div class="front-body">
        <NewRace />
        <div class="front-side">
          <JoinByCode />
          <Practise />
          <PublicRooms />
          <section class="card front-tournament" aria-label="Tournament">
            <h2>Tournaments</h2>
            <p class="hint">Rounds on the same deals for everybody, and standings that keep themselves.</p>
            <button type="button" class="button" onClick={route.toHosting}>
              <Icon name="crown" /> Host a tournament
            </button>
          </section>
          <section class="card how" aria-label="How it works">
            <h2>How it works</h2>
            <ol>
              <li>Create a race, and send your friends the link. No accounts.</li>
              <li>Everybody gets the same secret deal, at the same moment.</li>
              <li>Solve it first. If nobody does, most cards home wins.</li>
            </ol>
          </section>
        </div>
      </div>
    </main>
  )
}
