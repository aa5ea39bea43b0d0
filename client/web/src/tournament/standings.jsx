import { countedRounds, roundFor } from '../model/tournament/rounds.js'
import { hasTeams, teamOf } from '../model/tournament/team-view.js'
import { byeText, scoreText, tiebreakText, whyOut } from '../model/tournament/words.js'
import { t } from '../words/translate.js'
import { entrantColumns } from './columns.jsx'
import { LongTable } from './long-table.jsx'
import './standings.css'

/** @import { Entrant, Round, Standing, Tournament } from '../protocol/protocol.d.ts' */

/** The state beside the name. @param {{entrant: Entrant | undefined}} props */
export function Note({ entrant }) {
  if (!entrant || entrant.state === 'in') return null
  const { state, reason } = entrant
  const text =
    state === 'disqualified' && reason
      ? t('tournament.disqualifiedFor', { reason })
      : state === 'withdrawn' && reason
        ? whyOut(reason)
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
  if (was.is === 'raced') return scoreText(was.result[5])
  return was.is === 'bye' || was.is === 'wait' || was.is === 'half' ? byeText(was.is) : '–'
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
        own={standings.findIndex(([, who]) => who === seat)}
      />
      {isOpen && <p class="hint provisional">{t('tournament.standings.provisional')}</p>}
      <p class="hint">{tiebreakText(tournament)}</p>
    </>
  )
}
