import { nameOf, roundsOf } from '../model/tournament/rounds.js'
import { placeOrNone, scoreText, tiebreak, tiebreakText, WHY_OUT } from '../model/tournament/words.js'
import { LongTable } from './long-table.jsx'
import './standings.css'

/**
 * @typedef {import('../model/room-view.js').Tournament} Tournament
 * @typedef {import('../model/room-view.js').Standing} Standing
 */

/** What is to be said of somebody besides the name. @param {{entrant: import('../model/room-view.js').Entrant | undefined}} props */
export function Note({ entrant }) {
  if (!entrant || entrant.state === 'in') return null
  const why = entrant.reason ? (WHY_OUT[entrant.reason] ?? entrant.reason) : ''
  const text = entrant.state === 'disqualified' ? `disqualified${why && `: ${why}`}` : why || 'withdrawn'
  return (
    <small class="entrant-note" data-state={entrant.state} title={text}>
      {text}
    </small>
  )
}

/**
 * Who is where, with all that it follows from.
 *
 * @param {{tournament: Tournament, seat: number}} props
 */
export function Standings({ tournament, seat }) {
  const { standings = [], tiebreaks = [], plan } = tournament
  const rounds = roundsOf(tournament).filter(([, round]) => round.races?.length && round.state !== 'skipped')
  const isOpen = rounds.some(([, { state }]) => state === 'played')
  const scoreHead = plan.format === 'knockout' ? 'Won' : 'Points'

  /** @param {Standing} row @param {number} at */
  const line = ([place, who, score, breaks], at) => (
    <tr
      key={who}
      data-seat={who}
      data-own={who === seat || undefined}
      data-state={tournament.entrants?.[who]?.state}
      aria-rowindex={at + 2}
    >
      <td>{placeOrNone(place)}</td>
      <th scope="row">
        <bdi>{nameOf(tournament, who)}</bdi>
        <Note entrant={tournament.entrants?.[who]} />
      </th>
      <td class="score">{scoreText(score)}</td>
      {tiebreaks.map((key, i) => (
        <td key={key}>{scoreText(breaks[i])}</td>
      ))}
      {rounds.map(([number, { results, byes, state }]) => (
        <td key={number} class="of-round" data-state={state}>
          {results?.[who] ? scoreText(results[who][5]) : byes?.includes(who) ? 'bye' : '–'}
        </td>
      ))}
    </tr>
  )

  return (
    <>
      <LongTable
        label="Standings"
        part="standings"
        rows={standings}
        row={line}
        columns={3 + tiebreaks.length + rounds.length}
        own={standings.findIndex(([, who]) => who === seat)}
        head={
          <tr>
            <th scope="col" class="results-place">
              Place
            </th>
            <th scope="col">Name</th>
            <th scope="col" class="score">
              {scoreHead}
            </th>
            {tiebreaks.map((key) => (
              <th key={key} scope="col" title={tiebreak(key).text}>
                {tiebreak(key).name}
              </th>
            ))}
            {rounds.map(([number, { state }]) => (
              <th key={number} scope="col" class="of-round" data-state={state}>
                <abbr title={`Round ${number}${state === 'played' ? ', provisional' : ''}`}>
                  {number}
                  {state === 'played' && '*'}
                </abbr>
              </th>
            ))}
          </tr>
        }
      />
      {isOpen && <p class="hint provisional">* Provisional until a host confirms the round.</p>}
      <p class="hint">{tiebreakText(tournament)}</p>
    </>
  )
}
