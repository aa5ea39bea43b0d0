/** The standings of the teams, and the matches of a round. */
import { isProvisional, nameOf } from '../model/tournament/rounds.js'
import { matchesOf, sideOf, teamOf, teamsIn } from '../model/tournament/team-view.js'
import {
  placeOrNone,
  scoreText,
  teamsTitle,
  teamTiebreakName,
  teamTiebreaks,
  teamTiebreakText,
  tiebreakValue,
} from '../model/tournament/words.js'
import { t } from '../words/translate.js'
import { HeadCells, LongTable } from './long-table.jsx'
import './team-standings.css'

/**
 * @import { Tournament } from '../protocol/protocol.d.ts'
 * @import { Match } from '../model/tournament/team-view.js'
 */

/** @param {{tournament: Tournament, seat: number}} props */
export function TeamStandings({ tournament, seat }) {
  const { teams = [], plan } = tournament
  const own = teamOf(tournament, seat)
  const breaks = teamTiebreaks(plan)
  const sizes = new Map(teamsIn(tournament).map(([team, seats]) => [team, seats.length]))
  return (
    <section class="card standings" aria-label={t('tournament.setting.team_size')} data-part="team-standings-card">
      <div class="card-head">
        <h2>{teamsTitle(tournament)}</h2>
        {isProvisional(tournament) && <span class="badge">{t('tournament.provisional')}</span>}
      </div>
      <LongTable
        label={t('tournament.setting.team_size')}
        part="team-standings"
        rows={teams}
        columns={3 + breaks.length}
        own={teams.findIndex(([, team]) => team === own)}
        head={
          <tr>
            <HeadCells name={t('tournament.team')} score={t('tournament.rule.points')} />
            {breaks.map((key) => (
              <th key={key} scope="col">
                {teamTiebreakName(key)}
              </th>
            ))}
          </tr>
        }
        row={([place, team, score, values], at) => (
          <tr key={team} data-team={team} data-own={team === own || undefined} aria-rowindex={at + 2}>
            <td>{placeOrNone(place)}</td>
            <th scope="row">
              <bdi>{team}</bdi>
              <small class="entrant-note">{t('tournament.teams.members', { count: sizes.get(team) ?? 0 })}</small>
            </th>
            <td class="score">{scoreText(score)}</td>
            {breaks.map((key, i) => (
              <td key={key}>{tiebreakValue(values[i])}</td>
            ))}
          </tr>
        )}
      />
      <p class="hint">{teamTiebreakText(plan)}</p>
    </section>
  )
}

/** Two teams and their board points, or one with a bye. @param {{match: Match, isScored: boolean}} props */
export const MatchHead = ({ match: { one, other, score }, isScored }) => (
  <>
    <bdi>{one}</bdi>
    {other === null ? (
      <small>{t('tournament.bye')}</small>
    ) : (
      <>
        <b class="match-score">{isScored ? `${scoreText(score[0])} : ${scoreText(score[1])}` : '–'}</b>
        <bdi>{other}</bdi>
      </>
    )}
  </>
)

/** The pairs of all boards. @param {{tournament: Tournament, seat: number}} props */
export function Matches({ tournament, seat }) {
  const own = teamOf(tournament, seat)
  const all = matchesOf(tournament)
  const isOwn = (/** @type {Match} */ { one, other }) => own !== '' && (one === own || other === own)
  const isScored = Object.keys(tournament.rounds?.[tournament.round]?.results ?? {}).length > 0
  return (
    <ol class="matches" data-part="matches" aria-label={t('tournament.teams.matches')}>
      {[...all.filter(isOwn), ...all.filter((match) => !isOwn(match))].map((match) => (
        <li key={match.one} data-own={isOwn(match) || undefined}>
          <p class="match-head">
            <MatchHead match={match} isScored={isScored} />
          </p>
          <ol>
            {match.boards.map(([one, other]) => (
              <li key={one.seat} data-own={one.seat === seat || other.seat === seat || undefined}>
                <bdi data-ahead={one.ahead || undefined}>{nameOf(tournament, one.seat)}</bdi>
                <span aria-hidden="true">–</span>
                <bdi data-ahead={other.ahead || undefined}>{nameOf(tournament, other.seat)}</bdi>
              </li>
            ))}
            {match.byes.map((who) => (
              <li key={who} data-own={who === seat || undefined} data-side={sideOf(tournament, match, who)}>
                <bdi>{nameOf(tournament, who)}</bdi> <small>{t('tournament.bye')}</small>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  )
}
