/** The standings of the teams, and the matches of a round. */
import { isProvisional, nameOf } from '../model/tournament/rounds.js'
import { matchesOf, sideOf, teamOf, teamsIn } from '../model/tournament/team-view.js'
import { scoreText, teamsTitle, teamTiebreakText } from '../model/tournament/words.js'
import { Panel } from '../parts/page/panel.jsx'
import { t } from '../words/translate.js'
import { teamColumns } from './columns.jsx'
import { LongTable } from './long-table.jsx'
import './team-standings.css'

/** @import { Tournament } from '../protocol/protocol.d.ts' */
/** @import { Match } from '../model/tournament/team-view.js' */

/** @param {{tournament: Tournament, seat: number}} props */
export function TeamStandings({ tournament, seat }) {
  const { teams = [], plan } = tournament
  const own = teamOf(tournament, seat)
  const sizes = new Map(teamsIn(tournament).map(([team, seats]) => [team, seats.length]))
  return (
    <Panel
      title={teamsTitle(tournament)}
      label={t('tournament.setting.team_size')}
      class="standings"
      part="team-standings-card"
      tools={isProvisional(tournament) && <span class="badge">{t('tournament.provisional')}</span>}
    >
      <LongTable
        label={t('tournament.setting.team_size')}
        part="team-standings"
        rows={teams}
        columns={teamColumns(plan, ([, team]) => (
          <small class="entrant-note">{t('tournament.teams.members', { count: sizes.get(team) ?? 0 })}</small>
        ))}
        row={([, team]) => ({ key: team, 'data-team': team, 'data-own': team === own || undefined })}
        own={teams.findIndex(([, team]) => team === own)}
      />
      <p class="hint">{teamTiebreakText(plan)}</p>
    </Panel>
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
