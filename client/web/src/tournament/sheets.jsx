/** Sheets to print: the pairings, the standings, the cross table and the wall chart. */
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { gameName } from '../model/game-texts.js'
import { partsOf } from '../model/tournament/bracket.js'
import { crossTable } from '../model/tournament/cross-table.js'
import { byesOf, duelsByBracket } from '../model/tournament/duels.js'
import { groupTables, hasWalkovers } from '../model/tournament/group-tables.js'
import { KINDS } from '../model/tournament/kinds.js'
import { countedRounds, isProvisional, nameOf, resultsOf, roundsOf } from '../model/tournament/rounds.js'
import { hasBoards, hasTeams, matchesOf, sideOf, teamOf } from '../model/tournament/team-view.js'
import {
  byeFullText,
  byeText,
  duelText,
  placeOrNone,
  resultText,
  roundName,
  roundText,
  scoreHead,
  scoreText,
  stageText,
  standingsTitle,
  teamsTitle,
  teamTiebreakName,
  teamTiebreaks,
  teamTiebreakText,
  tiebreakName,
  tiebreakText,
  tiebreakValue,
  whenText,
} from '../model/tournament/words.js'
import { option, Select } from '../parts/controls/form-fields.jsx'
import { useSite } from '../parts/hooks.js'
import { language, t } from '../words/translate.js'
import { Levels, treesOf } from './bracket.jsx'
import { ResultCells } from './result-cells.jsx'
import './sheets.css'

/**
 * @import { Tournament, View } from '../protocol/protocol.d.ts'
 * @import { Cell } from '../model/tournament/cross-table.js'
 * @import { DuelSide } from '../model/tournament/duels.js'
 */

/**
 *
 * @typedef {'pairings' | 'teams' | 'standings' | 'cross' | 'chart'} Kind
 */

/** The matches in the first level of a page of a bracket. */
const MATCHES = 16

/** The columns of an upright page. A wider table is printed across, in smaller letters. */
const UPRIGHT = 16

/**
 * A table with its heads and the event on each page.
 *
 * @param {{title: string, head: any, columns: any[], children: any, hint?: string | false}} props
 */
const Sheet = ({ title, head, columns, children, hint }) => (
  <section class="sheet" aria-label={title} data-wide={columns.length > UPRIGHT || undefined}>
    <table>
      <thead>
        <tr>
          <td class="sheet-head" colSpan={columns.length}>
            <b>{title}</b>
            <span>{head}</span>
          </td>
        </tr>
        <tr>
          {columns.map((column, i) => (
            <th key={i} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
    {hint && <p>{hint}</p>}
  </section>
)

/** @typedef {{tournament: Tournament, head: any}} SheetProps */

/** @param {{tournament: Tournament, seat: number}} props */
const NameCell = ({ tournament, seat }) => (
  <th scope="row">
    <bdi>{nameOf(tournament, seat)}</bdi>
  </th>
)

/** @param {{score: number}} props */
const ScoreCell = ({ score }) => (
  <td>
    <b>{scoreText(score)}</b>
  </td>
)

const pairColumns = () => [
  t('tournament.print.one'),
  t('race.results.result'),
  t('tournament.print.other'),
  t('race.results.result'),
]

/** Both sides of a pair with their results. @param {{tournament: Tournament, sides: DuelSide[], Name: 'th' | 'td'}} props */
const PairCells = ({ tournament, sides, Name }) =>
  sides.map(({ seat, ahead, result }) => (
    <Fragment key={seat}>
      <Name scope={Name === 'th' ? 'row' : undefined} data-ahead={ahead || undefined}>
        <bdi>{nameOf(tournament, seat)}</bdi>
      </Name>
      <td class="blank">{result ? resultText(result) : ''}</td>
    </Fragment>
  ))

/** A title with the last round. @param {Tournament} tournament @param {string} title */
const ofRound = (tournament, title) => `${title} · ${roundText(roundName(tournament, tournament.round))}`

/** The pairs and their results. @param {SheetProps} props */
function PairsSheet({ tournament, head }) {
  const columns = [t('tournament.print.number'), ...pairColumns()]
  const groups = duelsByBracket(tournament)
  const numbers = new Map(groups.flatMap(({ duels }) => duels).map(([{ seat }], at) => [seat, at + 1]))
  return (
    <Sheet title={ofRound(tournament, t('tournament.pairings'))} head={head} columns={columns}>
      {groups.flatMap(({ bracket, duels }) => [
        bracket && (
          <tr key={bracket} class="sheet-match">
            <td />
            <th scope="rowgroup" colSpan={columns.length - 1}>
              {t(`tournament.bracket.${bracket}`)}
            </th>
          </tr>
        ),
        ...duels.map(([a, b]) => (
          <tr key={a.seat}>
            <td>{numbers.get(a.seat)}</td>
            <PairCells tournament={tournament} sides={[a, b]} Name="th" />
          </tr>
        )),
      ])}
      {byesOf(tournament).map(({ seat: who, is }, at) => (
        <tr key={who}>
          <td>{numbers.size + at + 1}</td>
          <NameCell tournament={tournament} seat={who} />
          <td colSpan={3}>{byeFullText(is)}</td>
        </tr>
      ))}
    </Sheet>
  )
}

/** The boards and their results. @param {SheetProps} props */
function BoardsSheet({ tournament, head }) {
  const columns = [t('tournament.teams.board'), ...pairColumns()]
  const isScored = Object.keys(tournament.rounds?.[tournament.round]?.results ?? {}).length > 0
  return (
    <Sheet title={ofRound(tournament, t('tournament.teams.matches'))} head={head} columns={columns}>
      {matchesOf(tournament).flatMap((match) => [
        <tr key={match.one} class="sheet-match">
          <td />
          <th scope="row">
            <bdi>{match.one}</bdi>
          </th>
          <td>{isScored && match.other !== null ? scoreText(match.score[0]) : ''}</td>
          <th scope="row">{match.other === null ? t('tournament.bye') : <bdi>{match.other}</bdi>}</th>
          <td>{isScored && match.other !== null ? scoreText(match.score[1]) : ''}</td>
        </tr>,
        ...match.boards.map(([a, b], at) => (
          <tr key={a.seat}>
            <td>{at + 1}</td>
            <PairCells tournament={tournament} sides={[a, b]} Name="td" />
          </tr>
        )),
        ...match.byes.map((who, at) => (
          <tr key={who}>
            <td>{match.boards.length + at + 1}</td>
            {sideOf(tournament, match, who) === 'other' && <td colSpan={2}>{t('tournament.bye')}</td>}
            <td>
              <bdi>{nameOf(tournament, who)}</bdi>
            </td>
            {sideOf(tournament, match, who) === 'other' ? <td /> : <td colSpan={3}>{t('tournament.bye')}</td>}
          </tr>
        )),
      ])}
    </Sheet>
  )
}

/** The standings of the teams. @param {SheetProps} props */
const TeamsSheet = ({ tournament, head }) => (
  <Sheet
    title={teamsTitle(tournament)}
    head={head}
    columns={[
      t('race.results.place'),
      t('tournament.team'),
      t('tournament.rule.points'),
      ...teamTiebreaks(tournament.plan).map(teamTiebreakName),
    ]}
    hint={teamTiebreakText(tournament.plan)}
  >
    {(tournament.teams ?? []).map(([place, team, score, breaks]) => (
      <tr key={team}>
        <td>{placeOrNone(place)}</td>
        <th scope="row">
          <bdi>{team}</bdi>
        </th>
        <ScoreCell score={score} />
        {breaks.map((value, i) => (
          <td key={i}>{tiebreakValue(value)}</td>
        ))}
      </tr>
    ))}
  </Sheet>
)

/** The results of a round without pairs; before it, the racers. @param {SheetProps} props */
function RoundSheet({ tournament, head }) {
  const rows = resultsOf(tournament.rounds?.[tournament.round] ?? /** @type {any} */ ({}))
  if (!rows.length) {
    const names = Object.entries(tournament.entrants ?? {})
      .filter(([, { state }]) => state === 'in')
      .sort((a, b) => a[1].name.localeCompare(b[1].name, language()))
    return (
      <Sheet
        title={ofRound(tournament, t('tournament.print.racers'))}
        head={head}
        columns={[t('tournament.print.number'), t('race.results.name'), t('race.results.result')]}
      >
        {names.map(([who, { name }], at) => (
          <tr key={who}>
            <td>{at + 1}</td>
            <th scope="row">
              <bdi>{name}</bdi>
              {hasTeams(tournament) && ` · ${teamOf(tournament, Number(who))}`}
            </th>
            <td class="blank" />
          </tr>
        ))}
      </Sheet>
    )
  }
  return (
    <Sheet
      title={ofRound(tournament, t('tournament.rounds.label'))}
      head={head}
      columns={[
        t('race.results.place'),
        t('race.results.name'),
        t('race.results.result'),
        t('race.results.time'),
        t('race.results.home'),
        t('race.results.moves'),
        t('tournament.rule.points'),
      ]}
    >
      {rows.map(([who, result]) => (
        <tr key={who}>
          <td>{result[0] ?? '–'}</td>
          <NameCell tournament={tournament} seat={who} />
          <ResultCells result={result} />
        </tr>
      ))}
    </Sheet>
  )
}

/** @param {SheetProps} props */
function StandingsSheet({ tournament, head }) {
  const { standings = [], tiebreaks = [] } = tournament
  return (
    <Sheet
      title={standingsTitle(tournament)}
      head={head}
      columns={[t('race.results.place'), t('race.results.name'), scoreHead(tournament.plan), ...tiebreaks.map(tiebreakName)]}
      hint={tiebreakText(tournament)}
    >
      {standings.map(([place, who, score, breaks]) => (
        <tr key={who}>
          <td>{placeOrNone(place)}</td>
          <NameCell tournament={tournament} seat={who} />
          <ScoreCell score={score} />
          {tiebreaks.map((key, i) => (
            <td key={key}>{tiebreakValue(breaks[i])}</td>
          ))}
        </tr>
      ))}
    </Sheet>
  )
}

/** A round of an entrant: `12 · 1` against number 12, `(3) 15` in third place. @param {Cell} cell */
function crossText({ is, met, place, points }) {
  if (is === 'bye' || is === 'wait' || is === 'half') return byeText(is)
  if (is === 'out') return '–'
  if (met) return `${met} · ${scoreText(points)}`
  return place === null ? scoreText(points) : `(${place}) ${scoreText(points)}`
}

/** @param {Tournament} tournament */
const crossHint = ({ plan }) => (!KINDS[plan.format].hasPairs ? t('tournament.print.pointsHint') : t('tournament.print.metHint'))

/** The cross table, in the order of the places. @param {SheetProps} props */
const CrossSheet = ({ tournament, head }) => (
  <Sheet
    title={t('tournament.print.cross')}
    head={head}
    columns={[
      t('tournament.print.number'),
      t('race.results.name'),
      ...countedRounds(tournament).map(([number]) => number),
      scoreHead(tournament.plan),
      t('race.results.place'),
    ]}
    hint={crossHint(tournament)}
  >
    {crossTable(tournament, 'place').map(({ number, seat, place, score, cells }) => (
      <tr key={seat}>
        <td>{number}</td>
        <NameCell tournament={tournament} seat={seat} />
        {cells.map((cell, i) => (
          <td key={i}>{crossText(cell)}</td>
        ))}
        <ScoreCell score={score} />
        <td>{placeOrNone(place)}</td>
      </tr>
    ))}
  </Sheet>
)

/** The cross table of each group, by number in the group. @param {SheetProps} props */
function GroupSheets({ tournament, head }) {
  const groups = groupTables(tournament)
  return groups.map((table) => (
    <Sheet
      key={table.letter}
      title={
        groups.length > 1
          ? `${t('tournament.print.cross')} · ${t('tournament.group', { group: table.letter })}`
          : t('tournament.print.cross')
      }
      head={head}
      columns={[
        t('tournament.print.number'),
        t('race.results.name'),
        ...table.rows.map(({ number }) => number),
        t('tournament.rule.points'),
        t('race.results.place'),
      ]}
      hint={hasWalkovers([table]) && t('tournament.group.hint')}
    >
      {table.rows.map(({ number, seat, place, score, cells }) => (
        <tr key={seat}>
          <td>{number}</td>
          <NameCell tournament={tournament} seat={seat} />
          {cells.map((cell, i) => (
            <td key={i} class={cell.is === 'ahead' ? 'blank' : undefined}>
              {cell.is === 'self' ? '×' : duelText(cell)}
            </td>
          ))}
          <ScoreCell score={score} />
          <td>{placeOrNone(place)}</td>
        </tr>
      ))}
    </Sheet>
  ))
}

/** In the order of the entries, which stays the same for the whole event: how each score grew. @param {SheetProps} props */
const ChartSheet = ({ tournament, head }) => (
  <Sheet
    title={t('tournament.print.chart')}
    head={head}
    columns={[
      t('tournament.print.number'),
      t('race.results.name'),
      ...countedRounds(tournament).map(([number]) => number),
      t('tournament.print.total'),
    ]}
    hint={t('tournament.print.chartHint')}
  >
    {crossTable(tournament, 'entry').map(({ number, seat, score, cells }) => (
      <tr key={seat}>
        <td>{number}</td>
        <NameCell tournament={tournament} seat={seat} />
        {cells.map((cell, i) => (
          <td key={i}>
            {cell.is === 'out' ? '–' : cell.is === 'raced' ? scoreText(cell.points) : byeText(cell.is)}{' '}
            <b>{scoreText(cell.total)}</b>
          </td>
        ))}
        <ScoreCell score={score} />
      </tr>
    ))}
  </Sheet>
)

/** The bracket, as many pages as it takes; the last one has the final. @param {SheetProps} props */
function BracketSheets({ tournament, head }) {
  const trees = treesOf(tournament)
  return trees.flatMap(({ title, levels, third }) => {
    const rest = levels.findIndex(({ matches }) => matches.length <= MATCHES)
    const parts = rest > 0 ? partsOf(levels, 0, MATCHES) : []
    const name = trees.length > 1 ? title : t('tournament.print.chart')
    return [...parts, levels.slice(rest)].map((part, i) => (
      <section key={`${title} ${i}`} class="sheet sheet-bracket" aria-label={name}>
        <p class="sheet-head">
          <b>
            {name}
            {parts.length > 0 && ` · ${t('tournament.wall.page', { page: i + 1, count: parts.length + 1 })}`}
          </b>
          <span>{head}</span>
        </p>
        <Levels tournament={tournament} seat={0} levels={part} third={i === parts.length ? third : null} />
      </section>
    ))
  })
}

/** The sheets of a tournament. @param {Tournament} tournament @returns {[Kind, string][]} */
function kindsOf(tournament) {
  const { plan, round, standings } = tournament
  const { hasPairs, hasRounds } = KINDS[plan.format]
  const hasBracket = treesOf(tournament).length > 0
  /** @type {[Kind, string][]} */
  const kinds = []
  if (round > 0) kinds.push(['pairings', hasPairs ? t('tournament.pairings') : t('tournament.rounds.label')])
  if (tournament.teams?.length) kinds.push(['teams', t('tournament.setting.team_size')])
  if (standings?.length) kinds.push(['standings', t('race.page.standings')])
  // A knock-out has its bracket, and an arena has separate races for each entrant.
  if ((standings?.length && hasRounds && !KINDS[plan.format].isBracket) || groupTables(tournament).length)
    kinds.push(['cross', t('tournament.print.cross')])
  if (round > 0 && (hasBracket || (standings?.length && plan.format !== 'roundrobin')))
    kinds.push(['chart', t('tournament.print.chart')])
  return kinds
}

/** The default choice. @param {Tournament} tournament @param {boolean} isOn @returns {Kind[]} */
function firstOf({ standings, teams }, isOn) {
  if (isOn || !standings?.length) return ['pairings']
  return teams?.length ? ['teams', 'standings'] : ['standings']
}

/** @param {{view: View, tournament: Tournament}} props */
export function Sheets({ view, tournament }) {
  const { session, route } = useSite()
  const { plan, phase, round } = tournament
  const kinds = kindsOf(tournament)
  const isOn = KINDS[plan.format].hasRounds && (phase === 'drawn' || phase === 'racing')
  const [chosen, setChosen] = useState(/** @type {Kind[]} */ (firstOf(tournament, isOn)))
  const [wanted, setWanted] = useState(0)
  const game = gameName(tournament.rounds?.[round]?.game ?? view.settings.game)
  const now = session.clock.now()
  const head = (
    <>
      <bdi>{plan.name || t('tournament.name')}</bdi> · {stageText(tournament)} · {game}
      {isProvisional(tournament) && ` · ${t('tournament.provisional')}`}
      {/* With the day, also today: a sheet may hang for long. */} · <time>{whenText(now, 0)}</time>
    </>
  )
  const has = (/** @type {Kind} */ kind) => chosen.includes(kind)
  const props = { tournament, head }
  const numbers = roundsOf(tournament).map(([number]) => number)
  const number = numbers.includes(wanted) ? wanted : round
  const ofNumber =
    number === round
      ? props
      : {
          tournament: { ...tournament, round: number },
          head: (
            <>
              <bdi>{plan.name || t('tournament.name')}</bdi> · {gameName(tournament.rounds?.[number]?.game ?? view.settings.game)}
              {tournament.rounds?.[number]?.state === 'played' && ` · ${t('tournament.provisional')}`} ·{' '}
              <time>{whenText(now, 0)}</time>
            </>
          ),
        }
  const Pairings = hasBoards(plan) ? BoardsSheet : PairsSheet
  const PairingsOrRound = KINDS[plan.format].hasPairs ? Pairings : RoundSheet
  const Cross = plan.format === 'roundrobin' ? GroupSheets : CrossSheet
  const Chart = treesOf(tournament).length ? BracketSheets : ChartSheet
  return (
    <main class="sheets" data-page="sheets">
      <div class="sheets-tools">
        <h1>{t('tournament.print.title')}</h1>
        <fieldset>
          <legend class="heard">{t('tournament.print.what')}</legend>
          {kinds.map(([kind, label]) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={has(kind)}
                onChange={() => setChosen(has(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind])}
              />{' '}
              {label}
            </label>
          ))}
        </fieldset>
        {has('pairings') && numbers.length > 1 && (
          <Select
            label={t('tournament.print.ofRound')}
            value={number}
            options={numbers.map((one) => option(one, roundText(roundName(tournament, one))))}
            onPick={(one) => setWanted(one === round ? 0 : one)}
          />
        )}
        <div class="row">
          <button type="button" class="button button-main" disabled={!chosen.length} onClick={() => print()}>
            {t('tournament.list.print')}
          </button>
          <button type="button" class="button" onClick={route.fromPrint}>
            {t('tournament.room.back')}
          </button>
        </div>
      </div>
      {has('pairings') && <PairingsOrRound {...ofNumber} />}
      {has('teams') && <TeamsSheet {...props} />}
      {has('standings') && <StandingsSheet {...props} />}
      {has('cross') && <Cross {...props} />}
      {has('chart') && <Chart {...props} />}
    </main>
  )
}
