/** The team of an entrant, chosen by the entrant or by a host. */
import { useId, useState } from 'preact/hooks'
import { listText } from '../model/format.js'
import * as teamView from '../model/tournament/team-view.js'
import { Button } from '../parts/controls/button.jsx'
import { Form, OtherNameField, option, Select, Wrong } from '../parts/controls/form-fields.jsx'
import { useCommand, useSite } from '../parts/hooks.js'
import { Rich } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import './team-choice.css'

/** @import { Tournament } from '../protocol/protocol.d.ts' */

/**
 * A team that exists, or the name of a new one.
 * @param {{label: string, teams: string[], value: string, onInput: (team: string) => void, error?: string | undefined}} props
 */
export function TeamField({ label, teams, value, onInput, error }) {
  const id = useId()
  return (
    <>
      <OtherNameField
        label={label}
        value={value}
        onInput={onInput}
        placeholder={t('tournament.team.example')}
        list={id}
        error={error}
      />
      <datalist id={id}>
        {teams.map((team) => (
          <option key={team} value={team} />
        ))}
      </datalist>
    </>
  )
}

const NAMED = 12 // the number of named teams with room

/** The teams with room. @param {{tournament: Tournament}} props */
function Room({ tournament }) {
  const teams = teamView.teamsWithRoom(tournament)
  if (teams.length === teamView.teamsIn(tournament).length) return null // no refusal for a full team
  return (
    <p class="hint" data-part="teams-with-room">
      {teams.length ? t('tournament.team.withRoom', { teams: listText(teams.slice(0, NAMED)) }) : t('tournament.team.allFull')}
    </p>
  )
}

/**
 * @param {{tournament: Tournament, who: number, label: string, yes: string, refused?: {team: string, refusal: {message: string}}
 *   | null, onDone?: () => void}} props `refused`: a refused team
 */
function Choice({ tournament, who, label, yes, refused = null, onDone }) {
  const own = teamView.teamOf(tournament, who)
  const [typed, setTyped] = useState(refused?.team ?? own)
  const choose = useCommand('team')
  const error = choose.error ?? (typed === refused?.team ? refused.refusal : null)
  return (
    <Form class="team-choice" data-part="team-choice" onSubmit={async () => (await choose.go(who, typed.trim())) && onDone?.()}>
      <TeamField
        label={label}
        teams={teamView.teamsWithRoom(tournament)}
        value={typed}
        onInput={setTyped}
        error={error?.message}
      />
      <Button type="submit" kind="main" text={yes} disabled={choose.busy || !typed.trim() || typed.trim() === own} />
      {error && <Room tournament={tournament} />}
    </Form>
  )
}

/** The own team, or the choice of one. @param {{tournament: Tournament, seat: number}} props */
export function OwnTeam({ tournament, seat }) {
  const { visit } = useSite()
  const [open, setOpen] = useState(false)
  const entrant = tournament.entrants?.[seat]
  if (!teamView.hasTeams(tournament) || entrant?.state !== 'in' || tournament.phase === 'over') return null
  const team = teamView.teamOf(tournament, seat)
  const isOpen = teamView.mayChoose(tournament, seat)
  if (!team || (open && isOpen)) {
    return (
      <div class="own-team" data-part="own-team">
        <Choice
          tournament={tournament}
          who={seat}
          label={t('tournament.team.yours')}
          yes={t('tournament.team.join')}
          refused={visit.noTeam.value}
          onDone={() => setOpen(false)}
        />
        <p class="hint">{t('tournament.team.hint')}</p>
      </div>
    )
  }
  return (
    <p class="own-team row" data-part="own-team">
      <span>
        <Rich id="tournament.team.own" with={{ team: <bdi>{team}</bdi> }} />
      </span>
      {isOpen && <Button kind="small" text={t('tournament.team.change')} onClick={() => setOpen(true)} />}
    </p>
  )
}

/** The actions of a host for the team of an entrant. @param {{tournament: Tournament, who: number}} props */
export function HostTeam({ tournament, who }) {
  const move = useCommand('team')
  const [chosen, setChosen] = useState(0)
  if (!teamView.hasTeams(tournament) || !tournament.entrants?.[who] || tournament.phase === 'over') return null
  const team = teamView.teamOf(tournament, who)
  const members = teamView.presentIn(tournament, team)
  const at = members.indexOf(who) + 1
  const position = chosen || at
  // In the whole order of the team, which includes withdrawn members.
  const board = tournament.entrants[members[position - 1]]?.board ?? position
  return (
    <>
      {teamView.wasDrawn(tournament, who) ? (
        <p class="hint">
          <Rich id="tournament.team.own" with={{ team: <bdi>{team}</bdi> }} /> {t('tournament.refused.reason.team-drawn')}
        </p>
      ) : (
        <Choice key={team} tournament={tournament} who={who} label={t('tournament.team')} yes={t('tournament.team.move')} />
      )}
      {teamView.hasBoards(tournament.plan) && at > 0 && members.length > 1 && (
        <div class="team-choice">
          <Select
            label={t('tournament.team.board')}
            value={position}
            options={members.map((_, n) => option(n + 1, String(n + 1)))}
            onPick={setChosen}
          />
          <Button
            text={t('tournament.team.set')}
            disabled={move.busy || position === at}
            onClick={() => move.go(who, team, board)}
          />
        </div>
      )}
      {move.error && <Wrong>{move.error.message}</Wrong>}
    </>
  )
}
