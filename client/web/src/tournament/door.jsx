/** The tournament, for a player on the way in. */
import { listText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { entryText, formatText, whenText } from '../model/tournament/words.js'
import { useNow } from '../parts/hooks.js'
import { Facts } from '../parts/page/panel.jsx'
import { Rich } from '../words/sentence.jsx'
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

/** The reason for closed registration. @param {TournamentInfo} tournament */
function closedText({ closed }) {
  if (closed === 'full') return t('tournament.compared.entry.full')
  return closed ? t('tournament.compared.entry.closed') : t('tournament.door.closed')
}

/** @param {{info: DoorInfo, team: string, onTeam: (team: string) => void}} props */
export function DoorEvent({ info, team, onTeam }) {
  const held = /** @type {TournamentInfo} */ (info.tournament)
  const { format, team_size: size = 0, check_in: checkIn } = held
  // The texts of times change at midnight.
  const [start, closes, opens, ends] = useNow(10_000, (now) => [
    startOf(held, now),
    ...[held.closes_at, checkIn?.opens, checkIn?.ends].map((at) => (at == null ? '' : whenText(at, now))),
  ])
  /** @type {([string, any] | false | '')[]} */
  const facts = [
    [t('race.rule.start'), start],
    [
      t('tournament.rule.format'),
      held.rounds === null ? formatText(format) : t('tournament.door.rounds', { format: formatText(format), count: held.rounds }),
    ],
    [t('tournament.door.games', { count: held.games.length }), listText(held.games.map(gameName))],
    [
      t('tournament.door.entrants'),
      held.most == null ? held.entrants : t('tournament.door.entrantsOf', { count: held.entrants, most: held.most }),
    ],
    [t('tournament.rule.entry'), held.may_enter ? entryText(held) : closedText(held)],
    size > 0 && [
      t('tournament.setting.team_size'),
      format === 'swiss' ? t('tournament.rule.teamsSwiss', { count: size }) : t('tournament.rule.teamsPoints', { count: size }),
    ],
    held.may_enter && closes && [t('tournament.setting.entry_closes'), closes],
    opens && [t('tournament.setting.check_in'), t('tournament.door.checkIn', { from: opens, until: ends })],
  ]
  return (
    <section class="door" aria-label={t('tournament.door.label')} data-part="door">
      <h1 data-part="game">
        <Rich
          id="tournament.door.title"
          with={{ host: <bdi>{info.host}</bdi>, event: <bdi>{held.name || t('tournament.door.event')}</bdi> }}
        />
      </h1>
      <Facts class="rules" facts={facts.filter((fact) => Array.isArray(fact))} />
      {size > 0 && held.may_enter && held.entry !== 'list' && (
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
