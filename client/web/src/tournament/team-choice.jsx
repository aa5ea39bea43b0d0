/** Which team somebody races for: chosen by an entrant, or by a host for one. */
import { useId, useState } from 'preact/hooks'
import { NAME_LENGTH } from '../model/names.js'
import { hasTeams, mayChoose, positionOf, teamOf, teamsIn, wasDrawn } from '../model/tournament/team-view.js'
import { hasBoards } from '../model/tournament/teams.js'
import { Field, Select, Wrong } from '../parts/form-fields.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { t } from '../words/index.js'
import { Rich } from '../words/rich.jsx'
import './team-choice.css'

/** @typedef {import('../model/room-view.js').Tournament} Tournament */

/**
 * A team that exists, or the name of a new one.
 *
 * @param {{label: string, teams: string[], value: string, onInput: (team: string) => void, error?: string | undefined}} props
 */
export function TeamField({ label, teams, value, onInput, error }) {
  const id = useId()
  return (
    <>
      <Field
        label={label}
        value={value}
        onInput={onInput}
        placeholder={t('tournament.team.example')}
        list={id}
        maxlength={NAME_LENGTH}
        dir="auto"
        autocomplete="off"
        spellcheck={false}
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

/** @param {{tournament: Tournament, who: number, label: string, yes: string, onDone?: () => void}} props */
function Choice({ tournament, who, label, yes, onDone }) {
  const { session } = useSite()
  const own = teamOf(tournament, who)
  const [typed, setTyped] = useState(own)
  const choose = useAction(session.team)
  const teams = teamsIn(tournament)
  return (
    <form
      class="team-choice"
      data-part="team-choice"
      onSubmit={async (event) => {
        event.preventDefault()
        if (await choose.go(who, typed.trim())) onDone?.()
      }}
    >
      <TeamField
        label={label}
        teams={teams.map(([team]) => team)}
        value={typed}
        onInput={setTyped}
        error={choose.error?.message}
      />
      <button class="button button-main" disabled={choose.busy || !typed.trim() || typed.trim() === own}>
        {yes}
      </button>
    </form>
  )
}

/** What an entrant sees: the team, or the question which one. @param {{tournament: Tournament, seat: number}} props */
export function OwnTeam({ tournament, seat }) {
  const [open, setOpen] = useState(false)
  const entrant = tournament.entrants?.[seat]
  if (!hasTeams(tournament) || entrant?.state !== 'in' || tournament.phase === 'over') return null
  const team = teamOf(tournament, seat)
  const isOpen = mayChoose(tournament, seat)
  if (!team || (open && isOpen)) {
    return (
      <div class="own-team" data-part="own-team">
        <Choice
          tournament={tournament}
          who={seat}
          label={t('tournament.team.yours')}
          yes={t('tournament.team.join')}
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
      {isOpen && (
        <button type="button" class="button button-small" onClick={() => setOpen(true)}>
          {t('tournament.team.change')}
        </button>
      )}
    </p>
  )
}

/** What a host may do about somebody's team. @param {{tournament: Tournament, who: number}} props */
export function HostTeam({ tournament, who }) {
  const { session } = useSite()
  const move = useAction(session.team)
  const [chosen, setChosen] = useState(0)
  if (!hasTeams(tournament) || !tournament.entrants?.[who] || tournament.phase === 'over') return null
  const team = teamOf(tournament, who)
  const { at, count } = positionOf(tournament, who)
  const position = chosen || at
  return (
    <>
      {wasDrawn(tournament, who) ? (
        <p class="hint">
          <Rich id="tournament.team.own" with={{ team: <bdi>{team}</bdi> }} /> {t('tournament.team.stays')}
        </p>
      ) : (
        <Choice key={team} tournament={tournament} who={who} label={t('tournament.team')} yes={t('tournament.team.move')} />
      )}
      {hasBoards(tournament.plan) && at > 0 && count > 1 && (
        <div class="team-choice">
          <Select
            label={t('tournament.team.board')}
            value={position}
            options={Array.from({ length: count }, (_, n) => /** @type {const} */ ([n + 1, String(n + 1)]))}
            onPick={setChosen}
          />
          <button
            type="button"
            class="button"
            disabled={move.busy || position === at}
            onClick={() => move.go(who, team, boardAt(tournament, team, position))}
          >
            {t('tournament.team.set')}
          </button>
        </div>
      )}
      {move.error && <Wrong>{move.error.message}</Wrong>}
    </>
  )
}

/** The position in the whole order of a team, in which those who have left keep theirs. @param {Tournament} tournament @param {string} team @param {number} position */
function boardAt({ entrants = {}, ...tournament }, team, position) {
  const seats = teamsIn({ ...tournament, entrants }).find(([name]) => name === team)?.[1] ?? []
  return entrants[seats[position - 1]]?.board ?? position
}
