/** All people of a tournament, for its hosts: counts that open their lists. */
import { useState } from 'preact/hooks'
import { isHosting } from '../model/race/room-view.js'
import { GROUPS, groupsOf, unclaimedOf } from '../model/tournament/desk.js'
import { askedBy, isCheckedIn, personName, standingOf } from '../model/tournament/rounds.js'
import { hasTeams, teamOf } from '../model/tournament/team-view.js'
import { scoreText } from '../model/tournament/words.js'
import { Button } from '../parts/controls/button.jsx'
import { Field } from '../parts/controls/form-fields.jsx'
import { useOfRace } from '../parts/hooks.js'
import { t } from '../words/translate.js'
import { LongTable } from './long-table.jsx'
import { Note, nameColumn } from './standings.jsx'
import './desk-people.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */
/** @import { Group } from '../model/tournament/desk.js' */

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
          <Button
            key={group}
            kind="small"
            {...(group === 'all' && { icon: 'people' })}
            data-group={group}
            aria-expanded={open === group}
            onClick={() => setOpen(open === group ? null : group)}
            text={t(`tournament.people.group.${group}`, { count: groups[group].length })}
          />
        ))}
        {unclaimed > 0 && <Button kind="small" onClick={onList} text={t('tournament.people.unclaimed', { count: unclaimed })} />}
      </div>
      {open && <PeopleTable view={view} tournament={tournament} all={groups[open]} onPick={onPick} />}
    </div>
  )
}

/** @param {{view: View, tournament: Tournament, all: number[], onPick: (seat: number) => void}} props */
function PeopleTable({ view, tournament, all, onPick }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const { entrants = {}, round, phase } = tournament
  const nameAt = (/** @type {number} */ who) => personName(view, who)
  const rows = wanted ? all.filter((who) => nameAt(who).toLowerCase().includes(wanted)) : all
  const progress = useOfRace('progress', view.race.number).value?.rows
  /** @param {number} who @returns {string[]} */
  function notesOf(who) {
    const [entrant, person] = [entrants[who], view.people[who]]
    const isRacing = phase === 'racing' && view.race.racers?.[who]?.state === 'racing'
    const home = progress?.[who]?.home
    return [
      entrant ? '' : t('tournament.people.noEntrant'),
      hostingNote(view, who),
      person?.here || person?.bot ? '' : t('race.lane.away'),
      round === 0 && isCheckedIn(tournament, who) ? t('tournament.checkIn.isHere') : '',
      hasTeams(tournament) && entrant ? teamOf(tournament, who) || t('tournament.teams.none') : '',
      ...askedBy(tournament, who).map((round) => t('tournament.halfBye.note', { round })),
      isRacing && home !== undefined ? t('tournament.cards', { count: home }) : '',
    ].filter(Boolean)
  }
  if (!all.length) return <p class="hint">{t('tournament.people.none')}</p>
  return (
    <>
      {all.length > 8 && <Field label={t('tournament.find')} value={text} onInput={setText} autocomplete="off" />}
      <LongTable
        label={t('tournament.people')}
        part="desk-people"
        rows={rows}
        columns={[
          nameColumn(nameAt, undefined, (who) => (
            <>
              {entrants[who] && <Note entrant={entrants[who]} />}
              {notesOf(who).map((note) => (
                <small key={note} class="entrant-note">
                  {note}
                </small>
              ))}
            </>
          )),
          { head: t('tournament.people.score'), cell: (who) => scoreText(standingOf(tournament, who)?.[2]) },
          {
            head: <span class="heard">{t('tournament.people.tools')}</span>,
            cell: (who) => (
              <Button
                kind="quiet small"
                icon="options"
                label={t('tournament.people.toolsFor', { name: nameAt(who) })}
                onClick={() => onPick(who)}
              />
            ),
          },
        ]}
        row={(who) => ({ key: who, 'data-seat': who })}
      />
    </>
  )
}
