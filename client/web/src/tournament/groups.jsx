/** The groups of a round robin: places and results. */
import { useState } from 'preact/hooks'
import { byPlace, goesOn, hasWalkovers } from '../model/tournament/group-tables.js'
import { duelText } from '../model/tournament/words.js'
import { Panel } from '../parts/page/panel.jsx'
import { t } from '../words/translate.js'
import { Cells, HeadRow } from './long-table.jsx'
import { numberColumn, placeColumn, scoreColumn, seatColumn } from './standings.jsx'
import { Tabs } from './tabs.jsx'
import './groups.css'

/** @import { Tournament } from '../protocol/protocol.d.ts' */
/** @import { GroupTable as Table, GroupRow } from '../model/tournament/group-tables.js' */
/** @import { Column } from './long-table.jsx' */

/** @param {Tournament} tournament @param {Table} table @param {boolean} isCross @returns {Column<GroupRow>[]} */
function columnsOf(tournament, table, isCross) {
  /** @type {Column<GroupRow>[]} */
  const against = table.rows.map(({ number }, i) => ({
    head: number,
    label: t('tournament.group.against', { number }),
    cell: ({ cells }) => duelText(cells[i]),
    given: ({ cells }) => ({ class: 'duel-cell', 'data-is': cells[i].is }),
  }))
  return [
    placeColumn(({ place }) => place),
    ...(isCross ? [numberColumn((/** @type {GroupRow} */ { number }) => number)] : []),
    seatColumn(tournament),
    scoreColumn(t('tournament.rule.points')),
    ...(isCross ? against : []),
  ]
}

/**
 * One group, the best first.
 * @param {{tournament: Tournament, table: Table, seat?: number, isCross: boolean, from?: number, to?: number}} props
 *   `isCross`: with results; `from`, `to`: the visible rows
 */
export function GroupTable({ tournament, table, seat = 0, isCross, from, to }) {
  const columns = columnsOf(tournament, table, isCross)
  const stateOf = (/** @type {number} */ who) => tournament.entrants?.[who]?.state
  return (
    <table class="group-table" aria-label={t('tournament.group', { group: table.letter })} data-group={table.letter}>
      <thead>
        <HeadRow columns={columns} />
      </thead>
      <tbody>
        {byPlace(table.rows)
          .slice(from, to)
          .map((row, i) => (
            <tr
              key={row.seat}
              data-seat={row.seat}
              data-own={row.seat === seat || undefined}
              data-goes-on={goesOn(tournament, table.rows, row.seat) || undefined}
              data-state={stateOf(row.seat) === 'in' ? undefined : stateOf(row.seat)}
            >
              <Cells columns={columns} row={row} at={i} />
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/** All groups, one at a time, the own group first. @param {{tournament: Tournament, groups: Table[], seat: number}} props */
export function Groups({ tournament, groups, seat }) {
  const own = groups.find(({ rows }) => rows.some((row) => row.seat === seat))
  const [chosen, setChosen] = useState('')
  const shown = groups.find(({ letter }) => letter === chosen) ?? own ?? groups[0]
  const nameOf = (/** @type {string} */ group) => t('tournament.group', { group })
  return (
    <Panel
      title={groups.length > 1 ? nameOf(shown.letter) : t('tournament.print.cross')}
      label={t('tournament.setting.groups')}
      part="groups"
      tools={
        <Tabs name="group" tabs={groups.map(({ letter }) => [letter, nameOf(letter)])} shown={shown.letter} onPick={setChosen} />
      }
    >
      <div class="group-frame" tabindex={0} role="region" aria-label={nameOf(shown.letter)}>
        <GroupTable tournament={tournament} table={shown} seat={seat} isCross />
      </div>
      {hasWalkovers([shown]) && <p class="hint">{t('tournament.group.hint')}</p>}
    </Panel>
  )
}
