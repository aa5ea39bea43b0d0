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
import * as words from '../model/tournament/words.js'
import { Button } from '../parts/controls/button.jsx'
import { option, Select } from '../parts/controls/form-fields.jsx'
import { useSite } from '../parts/hooks.js'
import { useMark } from '../parts/screen.js'
import { language, t } from '../words/translate.js'
import { Levels, treesOf } from './bracket.jsx'
import { Cells, HeadRow } from './long-table.jsx'
import * as tables from './standings.jsx'
import './sheets.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */
/** @import { Cell, CrossRow } from '../model/tournament/cross-table.js' */
/** @import { DuelSide } from '../model/tournament/duels.js' */
/** @import { GroupRow } from '../model/tournament/group-tables.js' */
/** @import { Column } from './long-table.jsx' */

/** @typedef {'pairings' | 'teams' | 'standings' | 'cross' | 'chart'} Kind */

const MATCHES = 16 // the matches in the first level of a page of a bracket
const UPRIGHT = 16 // the columns of an upright page. A wider table is printed across, in smaller letters.

/**
 * A table with its heads and the event on each page.
 * @param {{title: string, head: any, columns: Column<any>[], rows?: readonly any[] | undefined, children?: any, hint?: string | false}} props
 *   `children`: rows that are no plain list
 */
const Sheet = ({ title, head, columns, rows = [], children, hint }) => (
  <section class="sheet" aria-label={title} data-wide={columns.length > UPRIGHT || undefined}>
    <table>
      <thead>
        <tr>
          <td class="sheet-head" colSpan={columns.length}>
            <b>{title}</b>
            <span>{head}</span>
          </td>
        </tr>
        <HeadRow columns={columns} />
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            <Cells columns={columns} row={row} at={at} />
          </tr>
        ))}
        {children}
      </tbody>
    </table>
    {hint && <p>{hint}</p>}
  </section>
)

/** @typedef {{tournament: Tournament, head: any}} SheetProps */

/** The columns of pairs, whose cells are written row by row. @param {string} first @returns {Column<any>[]} */
const pairColumns = (first) =>
  [first, t('tournament.print.one'), t('race.results.result'), t('tournament.print.other'), t('race.results.result')].map(
    (head) => ({ head, cell: () => '' }),
  )

/** Both sides of a pair with their results. @param {{tournament: Tournament, sides: DuelSide[], Name: 'th' | 'td'}} props */
const PairCells = ({ tournament, sides, Name }) =>
  sides.map(({ seat, ahead, result }) => (
    <Fragment key={seat}>
      <Name scope={Name === 'th' ? 'row' : undefined} data-ahead={ahead || undefined}>
        <bdi>{nameOf(tournament, seat)}</bdi>
      </Name>
      <td class="blank">{result ? words.resultText(result) : ''}</td>
    </Fragment>
  ))

/** A title with the last round. @param {Tournament} tournament @param {string} title */
const ofRound = (tournament, title) => `${title} · ${words.roundText(words.roundName(tournament, tournament.round))}`

/** The pairs and their results. @param {SheetProps} props */
function PairsSheet({ tournament, head }) {
  const columns = pairColumns(t('tournament.print.number'))
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
        ...duels.map((sides) => (
          <tr key={sides[0].seat}>
            <td>{numbers.get(sides[0].seat)}</td>
            <PairCells tournament={tournament} sides={sides} Name="th" />
          </tr>
        )),
      ])}
      {byesOf(tournament).map(({ seat, is }, at) => (
        <tr key={seat}>
          <td>{numbers.size + at + 1}</td>
          <th scope="row">
            <bdi>{nameOf(tournament, seat)}</bdi>
          </th>
          <td colSpan={3}>{words.byeFullText(is)}</td>
        </tr>
      ))}
    </Sheet>
  )
}

/** The boards and their results. @param {SheetProps} props */
function BoardsSheet({ tournament, head }) {
  const isScored = Object.keys(tournament.rounds?.[tournament.round]?.results ?? {}).length > 0
  return (
    <Sheet
      title={ofRound(tournament, t('tournament.teams.matches'))}
      head={head}
      columns={pairColumns(t('tournament.teams.board'))}
    >
      {matchesOf(tournament).flatMap((match) => [
        <tr key={match.one} class="sheet-match">
          <td />
          <th scope="row">
            <bdi>{match.one}</bdi>
          </th>
          <td>{isScored && match.other !== null ? words.scoreText(match.score[0]) : ''}</td>
          <th scope="row">{match.other === null ? t('tournament.bye') : <bdi>{match.other}</bdi>}</th>
          <td>{isScored && match.other !== null ? words.scoreText(match.score[1]) : ''}</td>
        </tr>,
        ...match.boards.map((sides, at) => (
          <tr key={sides[0].seat}>
            <td>{at + 1}</td>
            <PairCells tournament={tournament} sides={sides} Name="td" />
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
    title={words.teamsTitle(tournament)}
    head={head}
    columns={tables.teamColumns(tournament.plan)}
    rows={tournament.teams}
    hint={words.teamTiebreakText(tournament.plan)}
  />
)

/** The results of a round without pairs; before it, the racers. @param {SheetProps} props */
function RoundSheet({ tournament, head }) {
  const results = resultsOf(tournament.rounds?.[tournament.round] ?? /** @type {any} */ ({}))
  if (results.length) {
    /** @type {Column<typeof results[number]>[]} */
    const columns = [
      { head: t('race.results.place'), cell: ([, [place]]) => place ?? '–' },
      tables.nameColumn(([who]) => nameOf(tournament, who)),
      ...tables.resultColumns(tournament, tournament.round, t('tournament.rule.points')),
    ]
    return <Sheet title={ofRound(tournament, t('tournament.rounds.label'))} head={head} columns={columns} rows={results} />
  }
  const racers = Object.entries(tournament.entrants ?? {})
    .filter(([, { state }]) => state === 'in')
    .sort((a, b) => a[1].name.localeCompare(b[1].name, language()))
  /** @type {Column<typeof racers[number]>[]} */
  const columns = [
    tables.numberColumn((_, at) => at + 1),
    tables.nameColumn(
      ([, { name }]) => name,
      undefined,
      ([who]) => hasTeams(tournament) && ` · ${teamOf(tournament, Number(who))}`,
    ),
    { head: t('race.results.result'), class: 'blank', cell: () => '' },
  ]
  return <Sheet title={ofRound(tournament, t('tournament.print.racers'))} head={head} columns={columns} rows={racers} />
}

/** @param {SheetProps} props */
const StandingsSheet = ({ tournament, head }) => (
  <Sheet
    title={words.standingsTitle(tournament)}
    head={head}
    columns={tables.entrantColumns(tournament)}
    rows={tournament.standings}
    hint={words.tiebreakText(tournament)}
  />
)

/** A round of an entrant: `12 · 1` against number 12, `(3) 15` in third place. @param {Cell} cell */
function crossText({ is, met, place, points }) {
  if (is === 'bye' || is === 'wait' || is === 'half') return words.byeText(is)
  if (is === 'out') return '–'
  if (met) return `${met} · ${words.scoreText(points)}`
  return place === null ? words.scoreText(points) : `(${place}) ${words.scoreText(points)}`
}

/**
 * The columns of a cross table: number and name, then what each round or opponent brought, then the score.
 * @template {{number: number, seat: number, score: number}} R @param {Tournament} tournament @param {Column<R>[]} cells
 * @param {string} score @returns {Column<R>[]}
 */
const crossColumns = (tournament, cells, score) => [
  tables.numberColumn(({ number }) => number),
  tables.seatColumn(tournament),
  ...cells,
  tables.scoreColumn(score),
]

/** A column for each round. @param {Tournament} tournament @param {(cell: Cell) => any} cell @returns {Column<CrossRow>[]} */
const roundColumns = (tournament, cell) =>
  countedRounds(tournament).map(([number], i) => ({ head: number, cell: ({ cells }) => cell(cells[i]) }))

/** The cross table, in the order of the places. @param {SheetProps} props */
const CrossSheet = ({ tournament, head }) => (
  <Sheet
    title={t('tournament.print.cross')}
    head={head}
    columns={[
      ...crossColumns(tournament, roundColumns(tournament, crossText), words.scoreHead(tournament.plan)),
      tables.placeColumn(({ place }) => place),
    ]}
    rows={crossTable(tournament, 'place')}
    hint={KINDS[tournament.plan.format].hasPairs ? t('tournament.print.metHint') : t('tournament.print.pointsHint')}
  />
)

/** The cross table of each group, by number in the group. @param {SheetProps} props */
function GroupSheets({ tournament, head }) {
  const groups = groupTables(tournament)
  return groups.map((table) => {
    /** @type {Column<GroupRow>[]} */
    const against = table.rows.map(({ number }, i) => ({
      head: number,
      cell: ({ cells }) => (cells[i].is === 'self' ? '×' : words.duelText(cells[i])),
      given: ({ cells }) => ({ class: cells[i].is === 'ahead' ? 'blank' : undefined }),
    }))
    const ofGroup = groups.length > 1 ? ` · ${t('tournament.group', { group: table.letter })}` : ''
    return (
      <Sheet
        key={table.letter}
        title={t('tournament.print.cross') + ofGroup}
        head={head}
        columns={[...crossColumns(tournament, against, t('tournament.rule.points')), tables.placeColumn(({ place }) => place)]}
        rows={table.rows}
        hint={hasWalkovers([table]) && t('tournament.group.hint')}
      />
    )
  })
}

/** A round of an entrant and the score after it. @param {Cell} cell */
const growth = ({ is, points, total }) => (
  <>
    {is === 'out' ? '–' : is === 'raced' ? words.scoreText(points) : words.byeText(is)} <b>{words.scoreText(total)}</b>
  </>
)

/** In the order of the entries, which stays the same for the whole event: how each score grew. @param {SheetProps} props */
const ChartSheet = ({ tournament, head }) => (
  <Sheet
    title={t('tournament.print.chart')}
    head={head}
    columns={crossColumns(tournament, roundColumns(tournament, growth), t('tournament.print.total'))}
    rows={crossTable(tournament, 'entry')}
    hint={t('tournament.print.chartHint')}
  />
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

/** All sheets, and whether the tournament has them. @param {Tournament} tournament @returns {[Kind, string, (props: SheetProps) => any, boolean][]} */
function sheetsOf(tournament) {
  const { plan, round, standings = [], teams = [] } = tournament
  const { hasPairs, hasRounds, isBracket } = KINDS[plan.format]
  const hasBracket = treesOf(tournament).length > 0
  const hasStandings = standings.length > 0
  const isGroups = plan.format === 'roundrobin'
  const Pairings = hasBoards(plan) ? BoardsSheet : PairsSheet
  // A knock-out has its bracket, and an arena has separate races for each entrant.
  const hasCross = (hasStandings && hasRounds && !isBracket) || groupTables(tournament).length > 0
  const hasChart = round > 0 && (hasBracket || (hasStandings && !isGroups))
  return [
    hasPairs
      ? ['pairings', t('tournament.pairings'), Pairings, round > 0]
      : ['pairings', t('tournament.rounds.label'), RoundSheet, round > 0],
    ['teams', t('tournament.setting.team_size'), TeamsSheet, teams.length > 0],
    ['standings', t('race.page.standings'), StandingsSheet, hasStandings],
    ['cross', t('tournament.print.cross'), isGroups ? GroupSheets : CrossSheet, hasCross],
    ['chart', t('tournament.print.chart'), hasBracket ? BracketSheets : ChartSheet, hasChart],
  ]
}

/** The default choice. @param {Tournament} tournament @param {boolean} isOn @returns {Kind[]} */
function firstOf({ standings, teams }, isOn) {
  if (isOn || !standings?.length) return ['pairings']
  return teams?.length ? ['teams', 'standings'] : ['standings']
}

/** @param {{view: View, tournament: Tournament}} props */
export function Sheets({ view, tournament }) {
  useMark('sheets')
  const { session, route } = useSite()
  const { plan, phase, round, rounds = {} } = tournament
  const sheets = sheetsOf(tournament)
  const isOn = KINDS[plan.format].hasRounds && (phase === 'drawn' || phase === 'racing')
  const [chosen, setChosen] = useState(/** @type {Kind[]} */ (firstOf(tournament, isOn)))
  const [wanted, setWanted] = useState(0)
  const has = (/** @type {Kind} */ kind) => chosen.includes(kind)
  const numbers = roundsOf(tournament).map(([number]) => number)
  const number = numbers.includes(wanted) ? wanted : round
  const headOf = (/** @type {number} */ number, /** @type {boolean} */ isOpen, stage = '') => (
    <>
      <bdi>{plan.name || t('tournament.name')}</bdi> · {stage}
      {gameName(rounds[number]?.game ?? view.settings.game)}
      {isOpen && ` · ${t('tournament.provisional')}`}
      {/* With the day, also today: a sheet may hang for long. */} · <time>{words.whenText(session.clock.now(), 0)}</time>
    </>
  )
  const props = { tournament, head: headOf(round, isProvisional(tournament), `${words.stageText(tournament)} · `) }
  const ofNumber = {
    tournament: { ...tournament, round: number },
    head: number === round ? props.head : headOf(number, rounds[number]?.state === 'played'),
  }
  return (
    <main class="sheets" data-page="sheets">
      <div class="sheets-tools">
        <h1>{t('tournament.print.title')}</h1>
        <fieldset>
          <legend class="heard">{t('tournament.print.what')}</legend>
          {sheets.map(
            ([kind, label, , isThere]) =>
              isThere && (
                <label key={kind}>
                  <input
                    type="checkbox"
                    checked={has(kind)}
                    onChange={() => setChosen(has(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind])}
                  />{' '}
                  {label}
                </label>
              ),
          )}
        </fieldset>
        {has('pairings') && numbers.length > 1 && (
          <Select
            label={t('tournament.print.ofRound')}
            value={number}
            options={numbers.map((one) => option(one, words.roundText(words.roundName(tournament, one))))}
            onPick={(one) => setWanted(one === round ? 0 : one)}
          />
        )}
        <div class="row">
          <Button kind="main" disabled={!chosen.length} onClick={() => print()} text={t('tournament.list.print')} />
          <Button onClick={route.fromPrint} text={t('tournament.room.back')} />
        </div>
      </div>
      {sheets.map(([kind, , Shown]) => has(kind) && <Shown key={kind} {...(kind === 'pairings' ? ofNumber : props)} />)}
    </main>
  )
}
