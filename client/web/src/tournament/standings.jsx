import { countedRounds, nameOf, roundFor } from '../model/tournament/rounds.js'
import { hasTeams, teamOf } from '../model/tournament/team-view.js'
import {
  byeText,
  placeOrNone,
  scoreHead,
  scoreText,
  tiebreakLine,
  tiebreakName,
  tiebreakText,
  tiebreakValue,
  whyOut,
} from '../model/tournament/words.js'
import { t } from '../words/translate.js'
import { HeadCells, LongTable } from './long-table.jsx'
import './standings.css'

/** @import { Entrant, Round, Standing, Tournament } from '../protocol/protocol.d.ts' */

/** The state beside the name. @param {{entrant: Entrant | undefined}} props */
export function Note({ entrant }) {
  if (!entrant || entrant.state === 'in') return null
  const { state, reason } = entrant
  const text =
    state === 'disqualified' && reason
      ? t('tournament.disqualifiedFor', { reason })
      : state === 'withdrawn' && reason
        ? whyOut(reason)
        : t(`tournament.state.${state}`)
  return (
    <small class="entrant-note" data-state={entrant.state} title={text}>
      {text}
    </small>
  )
}

/** The points of a round. @param {Round} round @param {number} who */
function cellOf(round, who) {
  const was = roundFor(round, who)
  if (was.is === 'raced') return scoreText(was.result[5])
  return was.is === 'bye' || was.is === 'wait' || was.is === 'half' ? byeText(was.is) : '–'
}

/** @param {number} number of a round @param {Round['state']} state */
const headOf = (number, state) =>
  state === 'played' ? t('tournament.standings.roundProvisional', { number }) : t('tournament.standings.roundNumber', { number })

/**
 * The standings with all their values.
 *
 * @param {{tournament: Tournament, seat: number}} props
 */
export function Standings({ tournament, seat }) {
  const { standings = [], tiebreaks = [] } = tournament
  const rounds = countedRounds(tournament)
  const isOpen = rounds.some(([, { state }]) => state === 'played')

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
        {hasTeams(tournament) && <small class="entrant-note">{teamOf(tournament, who)}</small>}
        <Note entrant={tournament.entrants?.[who]} />
      </th>
      <td class="score">{scoreText(score)}</td>
      {tiebreaks.map((key, i) => (
        <td key={key}>{tiebreakValue(breaks[i])}</td>
      ))}
      {rounds.map(([number, round]) => (
        <td key={number} class="of-round" data-state={round.state}>
          {cellOf(round, who)}
        </td>
      ))}
    </tr>
  )

  return (
    <>
      <LongTable
        label={t('race.page.standings')}
        part="standings"
        rows={standings}
        row={line}
        columns={3 + tiebreaks.length + rounds.length}
        own={standings.findIndex(([, who]) => who === seat)}
        head={
          <tr>
            <HeadCells score={scoreHead(tournament.plan)} />
            {tiebreaks.map((key) => (
              <th key={key} scope="col" title={tiebreakLine(key)}>
                {tiebreakName(key)}
              </th>
            ))}
            {rounds.map(([number, { state }]) => (
              <th key={number} scope="col" class="of-round" data-state={state}>
                <abbr title={headOf(number, state)}>
                  {number}
                  {state === 'played' && '*'}
                </abbr>
              </th>
            ))}
          </tr>
        }
      />
      {isOpen && <p class="hint provisional">{t('tournament.standings.provisional')}</p>}
      <p class="hint">{tiebreakText(tournament)}</p>
    </>
  )
}
