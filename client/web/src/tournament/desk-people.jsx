/** All people of a tournament, for its hosts: counts that open their lists. */
import { useState } from 'preact/hooks'
import { isHosting } from '../model/race/room-view.js'
import { isCheckedIn } from '../model/tournament/check-in.js'
import { GROUPS, groupsOf, unclaimedOf } from '../model/tournament/desk.js'
import { askedBy } from '../model/tournament/half-byes.js'
import { standingOf } from '../model/tournament/rounds.js'
import { hasTeams, teamOf } from '../model/tournament/team-view.js'
import { scoreText } from '../model/tournament/words.js'
import { Field } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { useSite } from '../parts/hooks.js'
import { t } from '../words/translate.js'
import { LongTable } from './long-table.jsx'
import { Note } from './standings.jsx'
import './desk-people.css'

/**
 * @import { Tournament, View } from '../protocol/protocol.d.ts'
 * @import { Group } from '../model/tournament/desk.js'
 */

/** @param {View} view @param {number} who */
function hostingNote(view, who) {
  if (who === view.creator) return t('tournament.people.organiser')
  if (who === view.host) return t('tournament.people.actingHost')
  return isHosting(view, who) ? t('tournament.people.coHost') : ''
}

/** @param {{view: View, tournament: Tournament, onPick: (seat: number) => void, onList: () => void}} props */
export function DeskPeople({ view, tournament, onPick, onList }) {
  const [open, setOpen] = useState(/** @type {Group | null} */ (null))
  const groups = groupsOf(view)
  const unclaimed = unclaimedOf(tournament, view.creator ?? null)
  return (
    <div class="desk-people">
      <div class="row" role="group" aria-label={t('tournament.people')}>
        {GROUPS.filter((group) => group === 'all' || groups[group].length || group === open).map((group) => (
          <button
            key={group}
            type="button"
            class="button button-small"
            data-group={group}
            aria-expanded={open === group}
            onClick={() => setOpen(open === group ? null : group)}
          >
            {group === 'all' && <Icon name="people" />} {t(`tournament.people.group.${group}`, { count: groups[group].length })}
          </button>
        ))}
        {unclaimed > 0 && (
          <button type="button" class="button button-small" onClick={onList}>
            {t('tournament.people.unclaimed', { count: unclaimed })}
          </button>
        )}
      </div>
      {open && <PeopleTable view={view} tournament={tournament} all={groups[open]} onPick={onPick} />}
    </div>
  )
}

/** @param {{view: View, tournament: Tournament, all: number[], onPick: (seat: number) => void}} props */
function PeopleTable({ view, tournament, all, onPick }) {
  const { session } = useSite()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const nameAt = (/** @type {number} */ who) => tournament.entrants?.[who]?.name ?? view.people[who]?.name ?? ''
  const rows = wanted ? all.filter((who) => nameAt(who).toLowerCase().includes(wanted)) : all
  const { race, rows: progress } = session.progress.value
  if (!all.length) return <p class="hint">{t('tournament.people.none')}</p>
  return (
    <>
      {all.length > 8 && <Field label={t('tournament.find')} value={text} onInput={setText} autocomplete="off" />}
      <LongTable
        label={t('tournament.people')}
        part="desk-people"
        rows={rows}
        columns={3}
        head={
          <tr>
            <th scope="col">{t('race.results.name')}</th>
            <th scope="col">{t('tournament.people.score')}</th>
            <th scope="col">
              <span class="heard">{t('tournament.people.tools')}</span>
            </th>
          </tr>
        }
        row={(who, at) => {
          const entrant = tournament.entrants?.[who]
          const person = view.people[who]
          const standing = standingOf(tournament, who)
          const isRacing = tournament.phase === 'racing' && view.race.racers?.[who]?.state === 'racing'
          const home = race === view.race.number ? progress[who]?.home : undefined
          return (
            <tr key={who} data-seat={who} aria-rowindex={at + 2}>
              <th scope="row">
                <bdi>{nameAt(who)}</bdi>
                {entrant ? <Note entrant={entrant} /> : <small class="entrant-note">{t('tournament.people.noEntrant')}</small>}
                {hostingNote(view, who) && <small class="entrant-note">{hostingNote(view, who)}</small>}
                {!person?.here && !person?.bot && <small class="entrant-note">{t('race.lane.away')}</small>}
                {tournament.round === 0 && isCheckedIn(tournament, who) && (
                  <small class="entrant-note">{t('tournament.checkIn.isHere')}</small>
                )}
                {hasTeams(tournament) && entrant && (
                  <small class="entrant-note">{teamOf(tournament, who) || t('tournament.teams.none')}</small>
                )}
                {askedBy(tournament, who).map((round) => (
                  <small key={round} class="entrant-note">
                    {t('tournament.halfBye.note', { round })}
                  </small>
                ))}
                {isRacing && home !== undefined && <small class="entrant-note">{t('tournament.cards', { count: home })}</small>}
              </th>
              <td>{standing ? scoreText(standing[2]) : '–'}</td>
              <td>
                <button
                  type="button"
                  class="button button-quiet button-small"
                  aria-label={t('tournament.people.toolsFor', { name: nameAt(who) })}
                  onClick={() => onPick(who)}
                >
                  <Icon name="options" />
                </button>
              </td>
            </tr>
          )
        }}
      />
    </>
  )
}
