import { useState } from 'preact/hooks'
import { finishText } from '../model/format.js'
import { nameOf, resultsOf, roundFor, roundsOf } from '../model/tournament/rounds.js'
import { levelName, resultText, scoreText } from '../model/tournament/words.js'
import { gameName, STATES } from '../model/words.js'
import { useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { LongTable } from './long-table.jsx'
import './played.css'

/**
 * @typedef {import('../model/room-view.js').View} View
 * @typedef {import('../model/room-view.js').Tournament} Tournament
 * @typedef {import('../model/room-view.js').Round} Round
 * @typedef {import('../model/room-view.js').RoundResult} RoundResult
 */

const STATE = {
  drawn: 'drawn',
  racing: 'being raced',
  played: 'provisional',
  confirmed: 'confirmed',
  skipped: 'skipped: it counts nothing',
}

/** The replays of a round; where a tie was played on there are several. @param {{code: string, races: number[]}} props */
function Replays({ code, races }) {
  const { route } = useSite()
  return (
    <>
      {races.map((race, i) => (
        <a
          key={race}
          class="button button-small"
          href={`/r/${code}/${race}`}
          onClick={(event) => {
            event.preventDefault()
            route.toReplay(code, race, { endKnown: true })
          }}
        >
          <Icon name="play" /> {i === 0 ? 'Replay' : `Replay of the tie ${races.length > 2 ? i : ''}`}
        </a>
      ))}
    </>
  )
}

/** Within a pair. @param {RoundResult} result @param {RoundResult | undefined} other */
const inPair = ([place], other) => (place === 1 ? (other?.[0] === 1 ? 'tied' : 'won') : place === 2 ? 'lost' : '–')

/** @param {{tournament: Tournament, round: Round, seat: number}} props */
function Results({ tournament, round, seat }) {
  const rows = resultsOf(round)
  const pairs = round.pairs ?? []
  const hasPairs = pairs.length > 0
  const otherOf = new Map(pairs.flatMap(([a, b]) => [/** @type {const} */ ([a, b]), /** @type {const} */ ([b, a])]))
  const startsPair = new Set(rows.filter(([who], at) => at === 0 || otherOf.get(who) !== rows[at - 1][0]).map(([who]) => who))
  return (
    <LongTable
      label="Results of the round"
      part="round-results"
      rows={rows}
      columns={7}
      own={rows.findIndex(([who]) => who === seat)}
      head={
        <tr>
          <th scope="col" class="results-place">
            {hasPairs ? 'Pair' : 'Place'}
          </th>
          <th scope="col">Name</th>
          <th scope="col">Result</th>
          <th scope="col">Time</th>
          <th scope="col">Home</th>
          <th scope="col">Moves</th>
          <th scope="col">{tournament.plan.format === 'knockout' ? 'Won' : 'Points'}</th>
        </tr>
      }
      row={([who, result], at) => {
        const [place, state, home, moves, ms, points] = result
        const other = otherOf.get(who)
        return (
          <tr
            key={who}
            data-seat={who}
            data-own={who === seat || undefined}
            data-first={(hasPairs && startsPair.has(who)) || undefined}
            aria-rowindex={at + 2}
          >
            <td>{hasPairs ? inPair(result, other === undefined ? undefined : round.results?.[other]) : (place ?? '–')}</td>
            <th scope="row">
              <bdi>{nameOf(tournament, who)}</bdi>
              {other !== undefined && (
                <small class="entrant-note">
                  against <bdi>{nameOf(tournament, other)}</bdi>
                </small>
              )}
            </th>
            <td>{STATES[state] ?? state}</td>
            <td>{state === 'solved' && ms != null ? finishText(ms) : '–'}</td>
            <td>{home}</td>
            <td>{moves}</td>
            <td>{scoreText(points)}</td>
          </tr>
        )
      }}
    />
  )
}

/** Who meets whom, before there are results. @param {{tournament: Tournament, round: Round, seat: number}} props */
export function Pairings({ tournament, round, seat }) {
  if (!round.pairs?.length) return null
  return (
    <ol class="pairings" data-part="pairings" aria-label="Pairings">
      {round.pairs.map(([a, b]) => (
        <li key={a} data-own={a === seat || b === seat || undefined}>
          <bdi>{nameOf(tournament, a)}</bdi> <span class="against">against</span> <bdi>{nameOf(tournament, b)}</bdi>
        </li>
      ))}
    </ol>
  )
}

/** @param {{tournament: Tournament, byes: number[]}} props */
const Byes = ({ tournament, byes }) =>
  byes.length > 0 && (
    <p class="hint">
      {byes.length === 1 ? 'A bye: ' : 'Byes: '}
      {byes.map((who, i) => (
        <span key={who}>
          {i > 0 && ', '}
          <bdi>{nameOf(tournament, who)}</bdi>
        </span>
      ))}
      .
    </p>
  )

/** All rounds so far, one at a time. @param {{view: View, tournament: Tournament, seat: number}} props */
export function Rounds({ view, tournament, seat }) {
  const rounds = roundsOf(tournament)
  const [chosen, setChosen] = useState(0)
  const shown = rounds.find(([number]) => number === chosen) ?? rounds.at(-1)
  if (!shown) return null
  const [number, round] = shown
  const isPlayed = Object.keys(round.results ?? {}).length > 0
  const isAnnulled = tournament.again && number === tournament.round && !round.races?.length
  return (
    <section class="card rounds" aria-label="Rounds" data-part="rounds">
      <div class="card-head">
        <h2>Rounds</h2>
        {rounds.length > 1 && (
          <div class="segments round-tabs">
            {rounds.map(([one]) => (
              <label key={one}>
                <input type="radio" name="round" checked={one === number} onChange={() => setChosen(one)} />
                <span>
                  <span class="heard">Round </span>
                  {one}
                </span>
              </label>
            ))}
          </div>
        )}
      </div>
      <p class="round-head">
        <b>
          {tournament.plan.format === 'knockout'
            ? levelName(number, Math.max(number, tournament.rounds_planned))
            : `Round ${number}`}
        </b>{' '}
        <span class="hint">
          {gameName(round.game)} · {isAnnulled ? 'to be played again' : STATE[round.state]}
        </span>
        <Replays code={view.code} races={round.races ?? []} />
      </p>
      {isPlayed ? (
        <Results key={number} tournament={tournament} round={round} seat={seat} />
      ) : (
        <Pairings tournament={tournament} round={round} seat={seat} />
      )}
      <Byes tournament={tournament} byes={round.byes ?? []} />
    </section>
  )
}

/** One's own rounds, with their replays. @param {{view: View, tournament: Tournament, seat: number}} props */
export function OwnRounds({ view, tournament, seat }) {
  const { route } = useSite()
  const rounds = roundsOf(tournament).filter(([, round]) => round.state !== 'drawn' && round.state !== 'racing')
  if (!tournament.entrants?.[seat] || !rounds.length) return null
  return (
    <section class="card own-rounds" aria-label="My rounds" data-part="own-rounds">
      <h2>My rounds</h2>
      <ol>
        {rounds.map(([number, round]) => {
          const mine = roundFor(round, seat)
          const race = round.races?.[0]
          return (
            <li key={number}>
              <span class="own-round">{number}</span>
              <span class="own-what">
                {mine.is === 'raced' ? (
                  <>
                    <b>{resultText(mine.result)}</b>
                    {mine.met > 0 ? (
                      <>
                        , {inPair(mine.result, round.results?.[mine.met])} against <bdi>{nameOf(tournament, mine.met)}</bdi>
                      </>
                    ) : (
                      mine.result[0] !== null && `, place ${mine.result[0]}`
                    )}
                  </>
                ) : (
                  { bye: 'a bye', ahead: 'not raced', out: 'not in it' }[mine.is]
                )}
                {round.state === 'skipped' && ' (skipped)'}
              </span>
              <span class="own-points">{mine.is === 'raced' ? scoreText(mine.result[5]) : ''}</span>
              {race !== undefined && (
                <a
                  class="button button-quiet button-icon"
                  aria-label={`Replay of round ${number}`}
                  title="Replay"
                  href={`/r/${view.code}/${race}`}
                  onClick={(event) => {
                    event.preventDefault()
                    route.toReplay(view.code, race, { endKnown: true })
                  }}
                >
                  <Icon name="play" />
                </a>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
