/** The page that hangs on the wall: readable from far away, and it needs nobody to do anything. */
import { useEffect, useState } from 'preact/hooks'
import { clockText } from '../model/format.js'
import { CARDS, isBlind, standings } from '../model/room-view.js'
import { nameOf } from '../model/tournament/rounds.js'
import { FORMATS, placeOrNone, scoreText, stageText } from '../model/tournament/words.js'
import { dealtIn, gameName, STATES } from '../model/words.js'
import { useNow, useSite } from '../parts/hooks.js'
import { QrCode, useOrigin } from '../parts/invite.jsx'
import { PasswordForm } from '../parts/password-form.jsx'
import { Bracket } from './bracket.jsx'
import { waitOf } from './now.jsx'
import { Podium } from './room.jsx'
import { inPages } from './table-pages.js'
import './projector.css'

/**
 * @typedef {import('../model/room-view.js').View} View
 * @typedef {import('../model/room-view.js').Tournament} Tournament
 */

/** A page of a table stays for so long, in ms. */
const PAGE_FOR = 8000
const ROWS = 7
const LANES = 6
const PAIRS = 6
const NAMES = 24
/** A bracket is shown from the level on that has so many matches. */
const MATCHES = 8

/** So many in the first level of the bracket that is shown: as many as in the present one, or a few. @param {Tournament} tournament */
const mostMatches = ({ round, rounds_planned: planned }) => Math.max(4, Math.min(MATCHES, 2 ** (planned - round)))

/** The screen stays on, where a browser can see to that. */
function useAwake() {
  useEffect(() => {
    /** @type {WakeLockSentinel | null} */
    let lock = null
    let alive = true
    async function hold() {
      if (document.hidden || !('wakeLock' in navigator)) return
      const held = await navigator.wakeLock.request('screen').catch(() => null) // low battery: then it goes dark
      if (alive) lock = held
      else held?.release()
    }
    hold()
    document.addEventListener('visibilitychange', hold)
    return () => {
      alive = false
      document.removeEventListener('visibilitychange', hold)
      lock?.release()
    }
  }, [])
}

/** Which of so many pages is shown; it changes by itself. @param {number} count */
function useTurning(count) {
  const [page, setPage] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setPage((now) => now + 1), PAGE_FOR)
    return () => clearInterval(timer)
  }, [])
  return page % Math.max(1, count)
}

/** @param {{page: number, count: number}} props */
const Turning = ({ page, count }) =>
  count > 1 && (
    <p class="wall-pages" data-part="page">
      {page + 1} of {count}
    </p>
  )

/** @param {{tournament: Tournament}} props */
function WallStandings({ tournament }) {
  const pages = inPages(tournament.standings ?? [], ROWS)
  const page = useTurning(pages.length)
  return (
    <section class="wall-part wall-standings" aria-label="Standings">
      <h2>
        {tournament.phase === 'over' ? 'Final standings' : 'Standings'} <Turning page={page} count={pages.length} />
      </h2>
      <table data-part="standings">
        <tbody key={page}>
          {pages[page]?.map(([place, who, score]) => (
            <tr key={who} data-state={tournament.entrants?.[who]?.state}>
              <td>{placeOrNone(place)}</td>
              <th scope="row">
                <bdi>{nameOf(tournament, who)}</bdi>
              </th>
              <td>{scoreText(score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** @param {{view: View}} props */
function WallLanes({ view }) {
  const { session } = useSite()
  if (isBlind(view)) {
    const racers = Object.values(view.race.racers ?? {})
    return (
      <section class="wall-part wall-lanes" aria-label="The round">
        <h2>A blind round</h2>
        <p class="wall-large">
          {racers.filter(({ state }) => state !== 'racing').length} of {racers.length} are done.
        </p>
      </section>
    )
  }
  const { race, rows } = session.progress.value
  const lanes = standings(view, race === view.race.number ? rows : {}, dealtIn(view.settings.game))
  return (
    <section class="wall-part wall-lanes" aria-label="The leaders">
      <h2>{lanes.length > LANES ? `The first ${LANES} of ${lanes.length}` : 'The race'}</h2>
      <ol data-part="lanes">
        {lanes.slice(0, LANES).map((lane) => (
          <li key={lane.seat} data-state={lane.state}>
            <bdi>{lane.name}</bdi>
            <b>{lane.state === 'solved' && lane.ms !== null ? clockText(lane.ms) : lane.home}</b>
            <span class="wall-bar" aria-hidden="true">
              <span style={{ transform: `scaleX(${lane.home / CARDS})` }} />
            </span>
            <small>{lane.state === 'racing' ? '' : STATES[lane.state]}</small>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** @param {{tournament: Tournament}} props */
function WallEntrants({ tournament }) {
  const names = Object.values(tournament.entrants ?? {}).filter(({ state }) => state === 'in')
  const pages = inPages(names, NAMES)
  const page = useTurning(pages.length)
  return (
    <section class="wall-part wall-entrants" aria-label="Entrants">
      <h2>
        {names.length} {names.length === 1 ? 'entrant' : 'entrants'} <Turning page={page} count={pages.length} />
      </h2>
      <ul data-part="entrants">
        {pages[page]?.map(({ name }) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who meets whom, when that has just been drawn. @param {{tournament: Tournament}} props */
function WallPairs({ tournament }) {
  const round = tournament.rounds?.[tournament.round]
  const pages = inPages(round?.pairs ?? [], PAIRS)
  const page = useTurning(pages.length)
  return (
    <section class="wall-part wall-pairs" aria-label="Pairings">
      <h2>
        Who meets whom <Turning page={page} count={pages.length} />
      </h2>
      <ul data-part="pairings">
        {pages[page]?.map(([a, b]) => (
          <li key={a}>
            <bdi>{nameOf(tournament, a)}</bdi> <span>–</span> <bdi>{nameOf(tournament, b)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** @param {{view: View, tournament: Tournament}} props */
function WallMain({ view, tournament }) {
  const { phase, plan, round } = tournament
  const isSwiss = plan.format === 'swiss'
  if (round === 0) return <WallEntrants tournament={tournament} />
  if (phase === 'racing') return <WallLanes view={view} />
  if (phase === 'over') {
    return (
      <section class="wall-part wall-podium" aria-label="The winners">
        <Podium tournament={tournament} seat={0} />
      </section>
    )
  }
  if (plan.format === 'knockout') {
    return (
      <section class="wall-part wall-bracket" aria-label="The bracket">
        <Bracket tournament={tournament} seat={0} most={mostMatches(tournament)} />
      </section>
    )
  }
  return isSwiss && phase === 'drawn' ? <WallPairs tournament={tournament} /> : null
}

/** @param {{view: View}} props */
function Projector({ view }) {
  useAwake()
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { text, clock } = useNow(250, (now) => waitOf(view, tournament, now))
  const { phase, round, plan } = tournament
  const link = `${useOrigin()}/r/${view.code}`
  // A bracket of eight matches takes the whole wall, or nobody could read it.
  const isTall = plan.format === 'knockout' && (phase === 'drawn' || phase === 'pause') && mostMatches(tournament) === MATCHES
  const hasStandings = (tournament.standings?.length ?? 0) > 0 && !isTall
  const hasMain =
    round === 0 ||
    phase === 'racing' ||
    phase === 'over' ||
    plan.format === 'knockout' ||
    (plan.format === 'swiss' && phase === 'drawn')

  return (
    <main class="wall" data-page="projector" data-phase={phase} data-wide={(round > 0 && hasMain !== hasStandings) || undefined}>
      <header class="wall-head">
        <div>
          <h1>
            <bdi>{plan.name || 'Tournament'}</bdi>
          </h1>
          <p class="wall-stage">
            {stageText(tournament)} · {FORMATS[plan.format].name} ·{' '}
            {gameName(tournament.rounds?.[round]?.game ?? view.settings.game)}
          </p>
        </div>
        <p class="wall-wait" data-part="wait">
          <span>{text}</span>
          {clock && <b role="timer">{clock}</b>}
        </p>
      </header>
      <div class="wall-body">
        <WallMain view={view} tournament={tournament} />
        {hasStandings && <WallStandings tournament={tournament} />}
        {round === 0 && (
          <div class="wall-join wall-join-large">
            <QrCode text={link} />
            <p class="wall-code">{view.code}</p>
            <p class="wall-link">{link.replace(/^https?:\/\//, '')}</p>
          </div>
        )}
      </div>
      {round > 0 && (
        <footer class="wall-join">
          <QrCode text={link} />
          <p>
            <span class="wall-code">{view.code}</span>
            <span class="wall-link">{link.replace(/^https?:\/\//, '')}</span>
          </p>
        </footer>
      )}
    </main>
  )
}

/** Comes in as a watcher (`browser/room-visit.js`). @param {{code: string}} props */
export function ProjectorDoor({ code }) {
  const { session, visit } = useSite()
  const [password, setPassword] = useState('')
  const view = session.view.value
  const isIn = view?.code === code && session.seat.value === 0

  useEffect(() => {
    document.title = `${view?.tournament?.plan.name || code} · Forty Thieves Race`
    return () => {
      document.title = 'Forty Thieves Race'
    }
  }, [code, view?.tournament?.plan.name])

  if (view && isIn && view.tournament) return <Projector view={view} />
  const why = visit.why.value?.message || (view && isIn ? 'This room is no tournament.' : '')
  return (
    <main class="narrow plain" data-page="projector-door">
      <section class="card">
        <h1>{code}</h1>
        {visit.why.value?.code === 'wrong-password' ? (
          <PasswordForm
            wrong={password !== ''}
            onSay={(said) => {
              setPassword(said)
              visit.watch(said)
            }}
          />
        ) : (
          <p role="status">{why || 'Coming in …'}</p>
        )}
      </section>
    </main>
  )
}
