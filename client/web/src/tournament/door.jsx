/** The tournament, for a player on the way in. */
import { listText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { entryText, formatText, whenText } from '../model/tournament/words.js'
import { useNow } from '../parts/hooks.js'
import { Facts } from '../parts/page/panel.jsx'
import { t } from '../words/translate.js'
import '../parts/settings/race-rules.css'
import { TeamField } from './team-choice.jsx'
import './door.css'

/** @import { DoorInfo, TournamentInfo } from '../pages/join.jsx' */

/** The start, or the current round. @param {TournamentInfo} tournament @param {number} now */
function startOf({ phase, next_at: at }, now) {
  if (phase !== 'entry') return t(`front.rooms.stage.${phase}`)
  return at === null ? t('tournament.door.byHost') : whenText(at, now)
}

/** @param {TournamentInfo} tournament */
const formatOf = ({ format, rounds }) =>
  rounds === null ? formatText(format) : t('tournament.door.rounds', { format: formatText(format), count: rounds })

/** The reason for closed registration. @param {TournamentInfo} tournament */
function closedText({ closed }) {
  if (closed === 'full') return t('tournament.compared.entry.full')
  return closed ? t('tournament.compared.entry.closed') : t('tournament.door.closed')
}

/** The times of check-in. @param {TournamentInfo} tournament @param {number} now */
const checkInOfDoor = ({ check_in: times }, now) =>
  times ? t('tournament.door.checkIn', { from: whenText(times.opens, now), until: whenText(times.ends, now) }) : ''

/** @param {{info: DoorInfo, team: string, onTeam: (team: string) => void}} props */
export function DoorEvent({ info, team, onTeam }) {
  const held = /** @type {TournamentInfo} */ (info.tournament)
  const start = useNow(10_000, (now) => startOf(held, now))
  const closes = useNow(10_000, (now) => (held.closes_at == null ? '' : whenText(held.closes_at, now)))
  const checkIn = useNow(10_000, (now) => checkInOfDoor(held, now))
  /** @type {[string, any][]} */
  const facts = [
    [t('tournament.door.host'), <bdi key="host">{info.host}</bdi>],
    [t('race.rule.start'), start],
    [t('tournament.rule.format'), formatOf(held)],
    [t('tournament.door.games', { count: held.games.length }), listText(held.games.map(gameName))],
    [
      t('tournament.door.entrants'),
      held.most == null ? held.entrants : t('tournament.door.entrantsOf', { count: held.entrants, most: held.most }),
    ],
    [t('tournament.rule.entry'), held.may_enter ? entryText(held) : closedText(held)],
  ]
  const size = held.team_size ?? 0
  if (size) {
    const text = held.format === 'swiss' ? 'tournament.rule.teamsSwiss' : 'tournament.rule.teamsPoints'
    facts.push([t('tournament.setting.team_size'), t(text, { count: size })])
  }
  if (held.may_enter && held.closes_at != null) facts.push([t('tournament.setting.entry_closes'), closes])
  if (checkIn) facts.push([t('tournament.setting.check_in'), checkIn])
  return (
    <section class="door" aria-label={t('tournament.door.label')} data-part="door">
      <h2>
        <bdi>{held.name || t('tournament.name')}</bdi>
      </h2>
      <Facts class="rules" facts={facts} />
      {(held.team_size ?? 0) > 0 && held.may_enter && held.entry !== 'list' && (
        <div class="door-team" data-part="door-team">
          <TeamField label={t('tournament.team.yours')} teams={held.teams ?? []} value={team} onInput={onTeam} />
          <p class="hint">{t('tournament.door.teamHint')}</p>
        </div>
      )}
      {held.about && (
        <p class="door-about" dir="auto">
          {held.about}
        </p>
      )}
    </section>
  )
}
