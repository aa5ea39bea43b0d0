/** What is happening in a tournament just now, in large. */

import { clockText } from '../model/format.js'
import { racerAt } from '../model/room-view.js'
import { comparedWith, needed } from '../model/tournament/need.js'
import { countIn, nextRound } from '../model/tournament/rounds.js'
import { levelName, stageText, whenText } from '../model/tournament/words.js'
import { gameName } from '../model/words.js'
import { Spoken } from '../pages/room.jsx'
import { Wrong } from '../parts/form-fields.jsx'
import { useAction, useNow, useSite } from '../parts/hooks.js'
import './now.css'

/**
 * @typedef {import('../model/room-view.js').View} View
 * @typedef {import('../model/room-view.js').Tournament} Tournament
 */

const DAY = 24 * 3600 * 1000

/**
 * What is waited for, and how long: the words that stand over a large clock.
 *
 * @param {View} view @param {Tournament} tournament @param {number} now
 * @returns {{text: string, clock: string}}
 */
export function waitOf(view, tournament, now) {
  const { phase, round, plan, paused, next_at: at, rounds_planned: planned } = tournament
  const starts = view.race.starts_at
  const isNext = phase === 'entry' || phase === 'pause'
  const number = isNext ? nextRound(tournament) : round
  const name =
    plan.format === 'knockout' && planned >= number && number > 0 && !(isNext && round === 0)
      ? levelName(number, planned)
      : `Round ${number}`
  // The semi-finals are many, a final is one.
  const [is, start, begin] = name.endsWith('s') ? ['are', 'start', 'begin'] : ['is', 'starts', 'begins']
  if (phase === 'over') return { text: 'The tournament is over', clock: '' }
  if (phase === 'racing' && starts != null) {
    if (now < starts) return { text: `${name} ${start} in`, clock: clockText(starts - now + 999) }
    return { text: `${name} ${is} on`, clock: clockText(now - starts) }
  }
  if (paused) return { text: 'Paused by the host', clock: '' }
  if (at == null) return { text: isNext ? `${name} ${begin} when the host says so` : `${name} ${is} about to start`, clock: '' }
  if (at - now > DAY) return { text: `${name} on ${whenText(at, now)}`, clock: '' }
  return { text: `${name} ${start} in`, clock: clockText(Math.max(0, at - now + 999)) }
}

/** @param {{view: View, tournament: Tournament}} props */
export function Wait({ view, tournament }) {
  const { text, clock } = useNow(250, (now) => waitOf(view, tournament, now))
  return (
    <p class="wait">
      <span class="wait-text" role="status">
        {text}
      </span>
      {clock && (
        <span class="wait-clock" role="timer">
          {clock}
        </span>
      )}
    </p>
  )
}

/** An entrant, a host, or somebody who only looks on: what this page is to them. @param {View} view @param {Tournament} tournament @param {number} seat @returns {import('../model/room-view.js').Sentence} */
function who(view, tournament, seat) {
  if (tournament.entrants?.[seat]) return comparedWith(view, seat)
  if (seat === 0) return ['You watch.']
  if (seat === view.host) return ['You are the host, and do not play along.']
  return [tournament.may_enter ? 'You are here, and not an entrant.' : 'It is too late to enter. You can watch.']
}

/** Come in, come back, or go. @param {{view: View, tournament: Tournament, seat: number}} props */
function Entrance({ view, tournament, seat }) {
  const { session, route } = useSite()
  const take = useAction(session.takePart)
  const { phase, may_enter: mayEnter } = tournament
  const entrant = tournament.entrants?.[seat]
  if (phase === 'over') return null
  if (seat === 0) {
    return (
      mayEnter && (
        <button type="button" class="button button-main button-large" onClick={() => route.toRoom(view.code)}>
          Enter
        </button>
      )
    )
  }
  const canEnter = entrant ? entrant.state === 'withdrawn' : mayEnter
  return (
    <>
      {canEnter && (
        <button type="button" class="button button-main button-large" disabled={take.busy} onClick={() => take.go(true)}>
          {entrant ? 'Come back' : seat === view.host ? 'Play along' : 'Enter'}
        </button>
      )}
      {take.error && <Wrong>{take.error.message}</Wrong>}
    </>
  )
}

/**
 * When one plays, whom one is compared with, and what one needs.
 *
 * @param {{view: View, tournament: Tournament, seat: number, children?: any}} props
 */
export function Now({ view, tournament, seat, children }) {
  const { plan, phase } = tournament
  const need = needed(view, seat)
  const own = racerAt(view, seat)
  const count = countIn(tournament)
  return (
    <section class="card now on-felt" aria-label="Now" data-part="now" data-phase={phase}>
      <div class="now-words">
        <p class="label">
          {stageText(tournament)} · {gameName(tournament.rounds?.[tournament.round]?.game ?? view.settings.game)} · {count}{' '}
          {count === 1 ? 'entrant' : 'entrants'}
        </p>
        <h1>
          <bdi>{plan.name || 'Tournament'}</bdi>
        </h1>
        {phase !== 'over' && <Wait view={view} tournament={tournament} />}
        <p class="now-who" data-part="compared">
          <Spoken sentence={who(view, tournament, seat)} />
        </p>
        {need.length > 0 && (
          <p class="now-need" data-part="need">
            <Spoken sentence={need} />
          </p>
        )}
        {phase === 'racing' && own && own.state !== 'racing' && <p class="now-need">You are done. The others race on.</p>}
      </div>
      <div class="row now-tools">
        <Entrance view={view} tournament={tournament} seat={seat} />
        {children}
      </div>
    </section>
  )
}
