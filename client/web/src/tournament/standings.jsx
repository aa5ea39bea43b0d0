/** The standings of entrants and of teams, the columns of all tables of a tournament, and the matches of a round. */
import { countedRounds, isProvisional, nameOf, roundFor } from '../model/tournament/rounds.js'
import { hasTeams, matchesOf, sideOf, teamOf, teamsIn } from '../model/tournament/team-view.js'
import * as words from '../model/tournament/words.js'
import { Name } from '../parts/controls/face.jsx'
import { Panel } from '../parts/page/panel.jsx'
import { t } from '../words/translate.js'
import { LongTable } from './long-table.jsx'
import './team-standings.css'
import { finishText } from '../model/format.js'
import './standings.css'

/** @import { Entrant, Plan, Round, RoundResult, Standing, Tournament } from '../protocol/protocol.d.ts' */
/** @import { Match } from '../model/tournament/team-view.js' */
/** @import { Column } from './long-table.jsx' */

/** The state beside the name. @param {{entrant: Entrant | undefined}} props */
export function Note({ entrant }) {
  if (!entrant || entrant.state === 'in') return null
  const { state, reason } = entrant
  const text =
    state === 'disqualified' && reason
      ? t('tournament.disqualifiedFor', { reason })
      : state === 'withdrawn' && reason
        ? words.whyOut(reason)
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
  if (was.is === 'raced') return words.scoreText(was.result[5])
  return was.is === 'bye' || was.is === 'wait' || was.is === 'half' ? words.byeText(was.is) : '–'
}

/** @param {number} number of a round @param {Round['state']} state */
const headOf = (number, state) =>
  state === 'played' ? t('tournament.standings.roundProvisional', { number }) : t('tournament.standings.roundNumber', { number })

/** The standings with all their values. @param {{tournament: Tournament, seat: number}} props */
export function Standings({ tournament, seat }) {
  const { standings = [], entrants = {} } = tournament
  const rounds = countedRounds(tournament)
  const isOpen = rounds.some(([, { state }]) => state === 'played')
  const columns = [
    ...entrantColumns(tournament, ([, who]) => (
      <>
        {hasTeams(tournament) && <small class="entrant-note">{teamOf(tournament, who)}</small>}
        <Note entrant={entrants[who]} />
      </>
    )),
    ...rounds.map(([number, round]) => ({
      class: 'of-round',
      state: round.state,
      head: (
        <abbr title={headOf(number, round.state)}>
          {number}
          {round.state === 'played' && '*'}
        </abbr>
      ),
      cell: (/** @type {Standing} */ [, who]) => cellOf(round, who),
    })),
  ]
  return (
    <>
      <LongTable
        label={t('race.page.standings')}
        part="standings"
        columns={columns}
        rows={standings}
        row={([, who]) => ({
          key: who,
          'data-seat': who,
          'data-own': who === seat || undefined,
          'data-state': entrants[who]?.state,
        })}
      />
      {isOpen && <p class="hint provisional">{t('tournament.standings.provisional')}</p>}
      <p class="hint">{words.tiebreakText(tournament)}</p>
    </>
  )
}

/** @typedef {[place: number | null, who: any, score: number, tiebreaks: number[]]} Placed a row of standings */

/** @template R @param {(row: R) => number | null} placeOf @returns {Column<R>} */
export const placeColumn = (placeOf) => ({
  head: t('race.results.place'),
  class: 'results-place',
  cell: (row) => words.placeOrNone(placeOf(row)),
})

/**
 * @template R @param {(row: R) => any} textOf @param {string} [head] @param {(row: R) => any} [noteOf] below the name
 * @returns {Column<R>}
 */
export const nameColumn = (textOf, head = t('race.results.name'), noteOf) => ({
  head,
  class: 'name',
  cell: (row) => (
    <>
      <bdi>{textOf(row)}</bdi>
      {noteOf?.(row)}
    </>
  ),
})

/** @template {{score: number}} R @param {string} head @returns {Column<R>} */
export const scoreColumn = (head) => ({ head, class: 'score', cell: ({ score }) => words.scoreText(score) })

/** @template R @param {(row: R, at: number) => number} numberOf @returns {Column<R>} */
export const numberColumn = (numberOf) => ({ head: t('tournament.print.number'), cell: numberOf })

/** The entrants of a tournament, with `seat` in each row. @param {Tournament} tournament @returns {Column<{seat: number}>} */
export const seatColumn = (tournament) => nameColumn(({ seat }) => <Name seat={seat} name={nameOf(tournament, seat)} />)

/** @param {Column<Placed>} name @param {string} score @param {{key?: string, head: string, title?: string}[]} tiebreaks @returns {Column<Placed>[]} */
const standingColumns = (name, score, tiebreaks) => [
  placeColumn(([place]) => place),
  name,
  { head: score, class: 'score', cell: ([, , score]) => words.scoreText(score) },
  ...tiebreaks.map(({ key, ...column }, i) => ({
    ...column,
    cell: (/** @type {Placed} */ row) => words.tiebreakValue(row[3][i], key),
  })),
]

/** The standings. @param {Tournament} tournament @param {(row: Placed) => any} [noteOf] below a name @returns {Column<Placed>[]} */
export const entrantColumns = (tournament, noteOf) =>
  standingColumns(
    nameColumn(([, seat]) => <Name seat={seat} name={nameOf(tournament, seat)} />, undefined, noteOf),
    words.scoreHead(tournament.plan),
    (tournament.tiebreaks ?? []).map((key) => ({ key, head: words.tiebreakName(key), title: words.tiebreakLine(key) })),
  )

/** The standings of the teams. @param {Plan} plan @param {(row: Placed) => any} [noteOf] below a name @returns {Column<Placed>[]} */
export const teamColumns = (plan, noteOf) =>
  standingColumns(
    nameColumn(([, team]) => team, t('tournament.team'), noteOf),
    t('tournament.rule.points'),
    words.teamTiebreaks(plan).map((key) => ({ head: words.tiebreakName(key) })),
  )

/**
 * The end of a race for a racer, and its points.
 * @param {Tournament} tournament @param {number} round @param {string} points @returns {Column<[seat: number, result: RoundResult]>[]}
 */
export const resultColumns = (tournament, round, points) => [
  { head: t('race.results.result'), cell: ([, [, state]]) => words.endText(tournament, round, state) },
  { head: t('race.results.time'), cell: ([, [, state, , , ms]]) => (state === 'solved' && ms != null ? finishText(ms) : '–') },
  { head: t('race.results.home'), cell: ([, [, , home]]) => home },
  { head: t('race.results.moves'), cell: ([, [, , , moves]]) => moves },
  { head: points, cell: ([, result]) => words.scoreText(result[5]) },
]

/** @param {{tournament: Tournament, seat: number}} props */
export function TeamStandings({ tournament, seat }) {
  const { teams = [], plan } = tournament
  const own = teamOf(tournament, seat)
  const sizes = new Map(teamsIn(tournament).map(([team, seats]) => [team, seats.length]))
  return (
    <Panel
      title={words.teamsTitle(tournament)}
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
      />
      <p class="hint">{words.teamTiebreakText(plan)}</p>
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
        <b class="match-score">{isScored ? `${words.scoreText(score[0])} : ${words.scoreText(score[1])}` : '–'}</b>
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
