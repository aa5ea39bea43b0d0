import { useState } from 'preact/hooks'
import { dealNumber } from '../browser/deal-number.js'
import { roomFrom } from '../browser/route.js'
import {
  difficulty,
  difficultyText,
  firstGames,
  gameLine,
  gameName,
  lessonOf,
  starsText,
  winnableText,
} from '../model/game-texts.js'
import { GamePicture } from '../parts/board/game-picture.jsx'
import { Button } from '../parts/controls/button.jsx'
import { Faces } from '../parts/controls/face.jsx'
import { Field, NameField, Switch, Wrong } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { instead, useAction, useLater, usePolled, useSite } from '../parts/hooks.js'
import { LanguageSwitch } from '../parts/page/language-switch.jsx'
import { lazyExtra } from '../parts/page/lazy.jsx'
import { AllGames, Options } from '../parts/page/lazy-parts.js'
import { downsOf, GAMES, heightsOf } from '../rules/games.js'
import { nth } from '../rules/nth.js'
import { Rich } from '../words/sentence.jsx'
import { language, t } from '../words/translate.js'
import { Hero } from './hero.jsx'
import './front.css'

const LivingPicture = lazyExtra(['race'], async () => (await import('./living-picture.jsx')).LivingPicture)
const Running = lazyExtra(['join'], async () => (await import('./running-race.jsx')).Running)

/** @import { Tournament } from '../protocol/protocol.d.ts' */
/** @import { Game } from '../rules/games.js' */

/**
 * @typedef {object} Listed
 * @property {string} code @property {string} game @property {string} host @property {number} people
 * @property {number} seats @property {string} phase @property {boolean} open a seat is free
 * @property {boolean} watchable a race is on and public
 * @property {boolean} winnable the race has a winnable deal
 * @property {number | null} stars how many that has; null before the first answer
 * @property {number[]} faces @property {number | null} starts_at of its race @property {string | null} closed_to newcomers
 * @property {Pick<Tournament, 'phase'> & {name: string, entry: string, next_at: number | null} | null} [tournament]
 */

const QUIET = 2000 // ms before the page loads its picture: visitors in a hurry have left by then
const LOOK_EVERY = 4000 // ms between two requests for the list of public rooms
const EXAMPLE = 'KQXWVD' // shows the form of a code

/** The stage of a tournament. @param {NonNullable<Listed['tournament']>} tournament */
function stageOf({ phase, next_at }) {
  if (phase !== 'entry' || next_at === null) return t(`front.rooms.stage.${phase}`)
  const form = /** @type {const} */ ({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  return t('front.rooms.starts', { time: new Date(next_at).toLocaleString(language(), form) })
}

/** The people, the phase and the deal of a room, in words. @param {Listed} room */
function roomText({ people, seats, phase, tournament, winnable, stars }) {
  const parts = tournament
    ? [t('front.rooms.tournament', { entry: tournament.entry, people }), stageOf(tournament)]
    : [t('front.rooms.room', { people, seats, phase })]
  return [...parts, ...(winnable ? [winnableText(stars)] : [])].join(' · ')
}

/** @param {{hard: 1 | 2 | 3}} props */
const Difficulty = ({ hard }) => (
  <span class="difficulty">
    <span aria-hidden="true">{'●●●○○'.slice(3 - hard, 6 - hard)}</span>
    {difficultyText(hard)}
  </span>
)

function NewRace() {
  const { visit, prefs, route } = useSite()
  const { game: chosen } = prefs
  const [isPublic, setPublic] = useState(false)
  const [all, setAll] = useState(false)
  const create = useAction(() => visit.create(prefs.name.value.trim(), { game: chosen.value, public: isPublic }))
  const practise = () => route.toPractice(chosen.peek(), dealNumber(''))
  const badName = create.error?.code === 'bad-name' ? create.error.message : null

  return (
    <form class="card new-race" onSubmit={instead(create.go)} aria-label={t('front.newRace')}>
      <NameField value={prefs.name.value} onInput={(name) => (prefs.name.value = name)} required error={badName} />
      <fieldset class="games">
        <legend>{t('front.game')}</legend>
        {firstGames(chosen.value).map((game) => (
          <label key={game.key} class="game" data-game={game.key}>
            <input type="radio" name="game" checked={game.key === chosen.value} onChange={() => (chosen.value = game.key)} />
            <span class="game-inside">
              <GamePicture game={game} />
              <span class="game-head">
                <span class="game-name">{gameName(game.key)}</span> <Difficulty hard={difficulty(game.key)} />
              </span>
              <span class="game-line">{gameLine(game.key)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Button kind="quiet" class="all-games" onClick={() => setAll(true)} text={t('front.allGames', { count: GAMES.size })} />
      {all && <AllGames chosen={chosen.value} onPick={(game) => (chosen.value = game)} onClose={() => setAll(false)} />}
      <div class="new-race-foot">
        <Switch label={t('front.public')} hint={t('front.publicHint')} on={isPublic} onChange={setPublic} />
        <span class="new-race-go">
          <Button kind="large" class="practise-too" onClick={practise} text={t('front.practise.start')} />
          <Button type="submit" kind="main large" disabled={create.busy} text={t('front.create')} />
        </span>
      </div>
      {create.error && !badName && <Wrong>{create.error.message}</Wrong>}
    </form>
  )
}

function JoinByCode() {
  const { route, seats } = useSite()
  const [text, setText] = useState(route.mistyped)
  const [wrong, setWrong] = useState(text !== '' && !roomFrom(text))
  const latest = seats.latest()
  const edit = (/** @type {string} */ value) => {
    setText(value)
    setWrong(false)
  }
  const submit = instead(() => {
    const room = roomFrom(text)
    if (room) route.toRoom(room.code, room.fragment)
    else setWrong(true)
  })

  return (
    <form class="card join-code" onSubmit={submit} aria-label={t('front.join.title')}>
      <h2>{t('front.join.title')}</h2>
      <div class="join-row">
        <Field
          label={t('front.join.code')}
          value={text}
          error={wrong ? t('front.join.wrongCode') : null}
          onInput={edit}
          placeholder={EXAMPLE}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          required
        />
        <Button type="submit" text={t('front.join.join')} />
      </div>
      {latest && (
        <Button
          kind="quiet"
          class="back-to"
          icon="back"
          onClick={() => route.toRoom(latest.code)}
          text={t('front.join.backTo', latest)}
        />
      )}
    </form>
  )
}

/** A board of the chosen game that plays itself; only its drawing if the browser saves data, and before it is loaded. */
function Picture() {
  const game = useSite().prefs.game.value
  const row = GAMES.get(game)
  const [isQuiet, setQuiet] = useState(false)
  useLater(() => setQuiet(!(/** @type {any} */ (navigator).connection?.saveData)), QUIET, [])
  return (
    <div class="living" aria-hidden="true" inert>
      {row && <Drawing game={row} />}
      {isQuiet && <LivingPicture key={game} game={game} />}
    </div>
  )
}

/** A race with one tap. @param {number} level of the bot; 0: no bot */
function useRace(level) {
  const { visit, prefs } = useSite()
  return useAction(async () => {
    const { nameOrRandom } = await import('../parts/controls/random-name.js')
    await visit.raceBot(await nameOrRandom(prefs), { game: prefs.game.peek() }, level)
  })
}

/** A race with one tap: against the next opponent, or against a bot. */
function PlayNow() {
  const site = useSite()
  const seek = useAction(async () => (await import('./find-opponent.js')).findOpponent(site))
  const race = useRace(1)
  const busy = seek.busy || race.busy
  const error = seek.error ?? race.error
  return (
    <div class="card play-now">
      <Picture />
      <Button kind="main large" disabled={busy} onClick={() => seek.go()} text={t('front.seek')} />
      <Button kind="large" icon="bot" class="race-bot" disabled={busy} onClick={() => race.go()} text={t('front.raceBot')} />
      {error && <Wrong>{error.message}</Wrong>}
    </div>
  )
}

/** Practice on this device, on a random deal at once. */
function Practise() {
  const { prefs, lesson, route } = useSite()
  const game = prefs.game.value
  const race = useRace(0)
  const named = { game: gameName(game) }
  return (
    <section class="card practise" aria-label={t('front.practise.title')}>
      <h2>{t('front.practise.title')}</h2>
      <p class="hint">{t('front.practise.hint', named)}</p>
      <div class="row">
        <Button onClick={() => route.toPractice(game, dealNumber(''))} text={t('front.practise.start')} />
        <Button kind="quiet" onClick={route.toChoice} text={t('front.practise.choose')} />
        <Button kind="quiet" onClick={route.toMe} text={t('front.me')} />
      </div>
      <Button
        kind="quiet"
        icon="hint"
        onClick={() => (lesson.value = { game })}
        text={t('front.practise.learn', { game: gameName(lessonOf(game)) })}
      />
      <Button kind="quiet" icon="people" {...race.button()} text={t('front.challenge')} />
      {race.error && <Wrong>{race.error.message}</Wrong>}
    </section>
  )
}

/** @typedef {import('./day.jsx').Day} Day */

/** The deal of this day. It has its place before it is known, so that the page does not move. @param {{day: Day | undefined}} props */
function Today({ day }) {
  const { route } = useSite()
  return (
    <section class="card today" aria-label={t('front.day.title')}>
      <h2>{t('front.day.title')}</h2>
      <Button icon="crown" disabled={!day} onClick={() => day && route.toChallenge(day.code)}>
        {day ? `${gameName(day.game)} ${starsText(day.stars)}` : t('front.loading')}
      </Button>
    </section>
  )
}

/** @param {{rooms: Listed[] | undefined}} props */
function PublicRooms({ rooms }) {
  const { route, session } = useSite()
  const isLost = session.connection.value.is === 'lost'
  return (
    <section class="card public" aria-label={t('front.rooms.label')}>
      <h2>{t('front.rooms.title')}</h2>
      {!rooms?.length && <p class="hint">{t(rooms ? 'front.rooms.none' : isLost ? 'front.rooms.noServer' : 'front.loading')}</p>}
      <ul class="public-rooms">
        {rooms?.map((room) => (
          <li key={room.code} class="public-row">
            <a
              class="public-room"
              href={room.open ? `/r/${room.code}` : `/r/${room.code}/w`}
              data-code={room.code}
              onClick={instead(() => (room.open ? route.toRoom : route.toWatch)(room.code))}
            >
              <span class="public-game">{room.tournament?.name || gameName(room.game)}</span>
              <span class="public-host">
                <Rich id="front.rooms.host" with={{ host: <bdi>{room.host}</bdi> }} />
              </span>
              <span class="public-count">{roomText(room)}</span>
              <Faces faces={room.faces} />
            </a>
            {room.open && (
              <Button kind="small" label={t('front.rooms.join', room)} onClick={() => route.toRoom(room.code)}>
                {t('front.join.join')}
              </Button>
            )}
            {room.watchable && (
              <a
                class="button button-small"
                href={`/r/${room.code}/w`}
                aria-label={t('front.rooms.watch', { code: room.code })}
                onClick={instead(() => route.toWatch(room.code))}
              >
                <Icon name="eye" /> {t('front.watch')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Front() {
  const { route, seats } = useSite()
  const [options, setOptions] = useState(false)
  const latest = seats.latest()
  const found = /** @type {{rooms: Listed[], day: Day | null} | null} */ (usePolled('/api/rooms', LOOK_EVERY))
  return (
    <main class="front" data-page="front">
      <Hero />
      <div class="front-language">
        <LanguageSwitch />
        <Button kind="felt icon" icon="options" label={t('front.options')} onClick={() => setOptions(true)} />
      </div>
      {options && <Options onClose={() => setOptions(false)} />}
      <div class="front-body">
        {latest && <Running code={latest.code} />}
        <div class="front-main">
          <NewRace />
          <div class="front-more">
            <Practise />
            <section class="card front-tournament" aria-label={t('front.tournaments')}>
              <h2>{t('front.tournaments')}</h2>
              <p class="hint">{t('front.tournamentsHint')}</p>
              <Button icon="crown" onClick={route.toHosting} text={t('front.hostTournament')} />
            </section>
          </div>
        </div>
        <div class="front-side">
          <PlayNow />
          {found?.day !== null && <Today day={found?.day} />}
          <JoinByCode />
          <PublicRooms rooms={found?.rooms} />
        </div>
      </div>
    </main>
  )
}

const STEP = 4
const CARD = 9

/** A dealt board of no deal. @param {{game: Game}} props */
const Drawing = ({ game }) => (
  <svg class="layout hero-card" viewBox={`0 0 ${game.columns * 5.5} 60`} aria-hidden="true">
    {heightsOf(game).flatMap((height, x) =>
      Array.from({ length: height }, (_, y) => {
        const i = y * game.columns + x
        const isDown = y < nth(downsOf(game), x)
        return (
          <g key={i} class={i % 2 ? 'hero-card-red' : ''} transform={`translate(${x * 5.5} ${CARD + y * STEP})`}>
            <rect class={isDown ? 'layout-down' : ''} width="5" height="7" rx="0.8" />
            {!isDown && (
              <text x="0.5" y="3">
                {'A23456789JQK'[(i * 7) % 12] + '♠♥♣♦'[i % 4]}
              </text>
            )}
          </g>
        )
      }),
    )}
  </svg>
)
