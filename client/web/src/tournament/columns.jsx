/** The columns of tables, on the page and on paper. */
import { finishText } from '../model/format.js'
import { stateText } from '../model/race/rule-texts.js'
import { nameOf } from '../model/tournament/rounds.js'
import {
  placeOrNone,
  scoreHead,
  scoreText,
  teamTiebreakName,
  teamTiebreaks,
  tiebreakLine,
  tiebreakName,
  tiebreakValue,
} from '../model/tournament/words.js'
import { t } from '../words/translate.js'

/** @import { Plan, RoundResult, Tournament } from '../protocol/protocol.d.ts' */

/**
 * @template R
 * @typedef {object} Column of a table with a row for each R
 * @property {any} head
 * @property {(row: R, at: number) => any} cell
 * @property {string | undefined} [class] the cells of "name" are the heads of their rows
 * @property {string} [title] @property {string} [label] of the head
 * @property {string} [state]
 * @property {(row: R) => object} [given] attributes of a cell
 */

/** @typedef {[place: number | null, who: any, score: number, tiebreaks: number[]]} Placed a row of standings */

/** The row of heads. @param {{columns: Column<any>[]}} props */
export const HeadRow = ({ columns }) => (
  <tr>
    {columns.map((column, i) => (
      <th key={i} scope="col" class={column.class} title={column.title} aria-label={column.label} data-state={column.state}>
        {column.head}
      </th>
    ))}
  </tr>
)

/** The cells of a row. @template R @param {{columns: Column<R>[], row: R, at: number}} props */
export const Cells = ({ columns, row, at }) => (
  <>
    {columns.map((column, i) => {
      const Cell = column.class === 'name' ? 'th' : 'td'
      const scope = Cell === 'th' ? 'row' : undefined
      return (
        <Cell key={i} scope={scope} class={column.class} data-state={column.state} {...column.given?.(row)}>
          {column.cell(row, at)}
        </Cell>
      )
    })}
  </>
)

/** @template R @param {(row: R) => number | null} placeOf @returns {Column<R>} */
export const placeColumn = (placeOf) => ({
  head: t('race.results.place'),
  class: 'results-place',
  cell: (row) => placeOrNone(placeOf(row)),
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
export const scoreColumn = (head) => ({ head, class: 'score', cell: ({ score }) => scoreText(score) })

/** @template R @param {(row: R, at: number) => number} numberOf @returns {Column<R>} */
export const numberColumn = (numberOf) => ({ head: t('tournament.print.number'), cell: numberOf })

/** The entrants of a tournament, with `seat` in each row. @param {Tournament} tournament @returns {Column<{seat: number}>} */
export const seatColumn = (tournament) => nameColumn(({ seat }) => nameOf(tournament, seat))

/** @param {Column<Placed>} name @param {string} score @param {{head: string, title?: string}[]} tiebreaks @returns {Column<Placed>[]} */
const standingColumns = (name, score, tiebreaks) => [
  placeColumn(([place]) => place),
  name,
  { head: score, class: 'score', cell: ([, , score]) => scoreText(score) },
  ...tiebreaks.map((tiebreak, i) => ({ ...tiebreak, cell: (/** @type {Placed} */ row) => tiebreakValue(row[3][i]) })),
]

/** The standings. @param {Tournament} tournament @param {(row: Placed) => any} [noteOf] below a name @returns {Column<Placed>[]} */
export const entrantColumns = (tournament, noteOf) =>
  standingColumns(
    nameColumn(([, seat]) => nameOf(tournament, seat), undefined, noteOf),
    scoreHead(tournament.plan),
    (tournament.tiebreaks ?? []).map((key) => ({ head: tiebreakName(key), title: tiebreakLine(key) })),
  )

/** The standings of the teams. @param {Plan} plan @param {(row: Placed) => any} [noteOf] below a name @returns {Column<Placed>[]} */
export const teamColumns = (plan, noteOf) =>
  standingColumns(
    nameColumn(([, team]) => team, t('tournament.team'), noteOf),
    t('tournament.rule.points'),
    teamTiebreaks(plan).map((key) => ({ head: teamTiebreakName(key) })),
  )

/** The end of a race for a racer, and its points. @param {string} points @returns {Column<[seat: number, result: RoundResult]>[]} */
export const resultColumns = (points) => [
  { head: t('race.results.result'), cell: ([, [, state]]) => stateText(state) },
  { head: t('race.results.time'), cell: ([, [, state, , , ms]]) => (state === 'solved' && ms != null ? finishText(ms) : '–') },
  { head: t('race.results.home'), cell: ([, [, , home]]) => home },
  { head: t('race.results.moves'), cell: ([, [, , , moves]]) => moves },
  { head: points, cell: ([, result]) => scoreText(result[5]) },
]
