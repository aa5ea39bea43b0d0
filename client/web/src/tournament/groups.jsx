/** The groups of a round robin: places and results. */
import { useState } from 'preact/hooks'
import { byPlace, goesOn, hasWalkovers } from '../model/tournament/group-tables.js'
import { nameOf } from '../model/tournament/rounds.js'
import { duelText, placeOrNone, scoreText } from '../model/tournament/words.js'
import { t } from '../words/translate.js'
import './groups.css'

/**
 * @import { Tournament } from '../protocol/protocol.d.ts'
 * @import { GroupTable as Table } from '../model/tournament/group-tables.js'
 */

/**
 * One group, the best first.
 *
 * @param {object} props
 * @param {Tournament} props.tournament @param {Table} props.table
 * @param {number} [props.seat]
 * @param {boolean} props.isCross with results
 * @param {number} [props.from] @param {number} [props.to] the visible rows
 */
export const GroupTable = ({ tournament, table, seat = 0, isCross, from, to }) => (
  <table class="group-table" aria-label={t('tournament.group', { group: table.letter })} data-group={table.letter}>
    <thead>
      <tr>
        <th scope="col">{t('race.results.place')}</th>
        {isCross && <th scope="col">{t('tournament.print.number')}</th>}
        <th scope="col" class="name">
          {t('race.results.name')}
        </th>
        <th scope="col">{t('tournament.rule.points')}</th>
        {isCross &&
          table.rows.map(({ number }) => (
            <th key={number} scope="col" aria-label={t('tournament.group.against', { number })}>
              {number}
            </th>
          ))}
      </tr>
    </thead>
    <tbody>
      {byPlace(table.rows)
        .slice(from, to)
        .map(({ number, seat: who, place, score, cells }) => (
          <tr
            key={who}
            data-seat={who}
            data-own={who === seat || undefined}
            data-goes-on={goesOn(tournament, table.rows, who) || undefined}
            data-state={tournament.entrants?.[who]?.state === 'in' ? undefined : tournament.entrants?.[who]?.state}
          >
            <td>{placeOrNone(place)}</td>
            {isCross && <td>{number}</td>}
            <th scope="row">
              <bdi>{nameOf(tournament, who)}</bdi>
            </th>
            <td>
              <b>{scoreText(score)}</b>
            </td>
            {isCross &&
              cells.map((cell, i) => (
                <td key={i} class="duel-cell" data-is={cell.is}>
                  {duelText(cell)}
                </td>
              ))}
          </tr>
        ))}
    </tbody>
  </table>
)

/** All groups, one at a time, the own group first. @param {{tournament: Tournament, groups: Table[], seat: number}} props */
export function Groups({ tournament, groups, seat }) {
  const own = groups.find(({ rows }) => rows.some((row) => row.seat === seat))
  const [chosen, setChosen] = useState('')
  const shown = groups.find(({ letter }) => letter === chosen) ?? own ?? groups[0]
  return (
    <section class="card" aria-label={t('tournament.setting.groups')} data-part="groups">
      <div class="card-head">
        <h2>{groups.length > 1 ? t('tournament.group', { group: shown.letter }) : t('tournament.print.cross')}</h2>
        {groups.length > 1 && (
          <div class="segments group-tabs">
            {groups.map(({ letter }) => (
              <label key={letter}>
                <input type="radio" name="group" checked={letter === shown.letter} onChange={() => setChosen(letter)} />
                <span>
                  <span class="heard">{t('tournament.group', { group: letter })}</span>
                  <span aria-hidden="true">{letter}</span>
                </span>
              </label>
            ))}
          </div>
        )}
      </div>
      <div class="group-frame" tabindex={0} role="region" aria-label={t('tournament.group', { group: shown.letter })}>
        <GroupTable tournament={tournament} table={shown} seat={seat} isCross />
      </div>
      {hasWalkovers([shown]) && <p class="hint">{t('tournament.group.hint')}</p>}
    </section>
  )
}
