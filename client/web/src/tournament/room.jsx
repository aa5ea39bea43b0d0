/** The page of a tournament: the current state, the standings, the rounds, and the desk of hosts. */
import { useState } from 'preact/hooks'
import { PRINTING } from '../browser/route.js'
import { otherRules } from '../model/race/other-rules.js'
import { isBlind, isHosting, opponentOf } from '../model/race/room-view.js'
import { firstRules } from '../model/race/rule-texts.js'
import { isArena } from '../model/tournament/arena-view.js'
import { groupTables, hasCup } from '../model/tournament/group-tables.js'
import { KINDS } from '../model/tournament/kinds.js'
import { copyOf } from '../model/tournament/plan-draft.js'
import { countIn, doneCount, isProvisional, nameOf, personName } from '../model/tournament/rounds.js'
import { EMPTY, seriesFragment } from '../model/tournament/series.js'
import { hasTeams, teamless, teamOf, teamsIn } from '../model/tournament/team-view.js'
import { deedSaying, fileName, planRules, pointsText, reasonOf, standingsTitle, timeText } from '../model/tournament/words.js'
import { ChatCard } from '../parts/chat/chat.jsx'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton } from '../parts/controls/confirm-button.jsx'
import { Download } from '../parts/controls/download-button.jsx'
import { option, Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, useCommand, useLaneSignal, useOfRace, useSite } from '../parts/hooks.js'
import { lazyPage } from '../parts/page/lazy.jsx'
import { Head } from '../parts/page/page-head.jsx'
import { Facts, Panel } from '../parts/page/panel.jsx'
import { Lanes } from '../parts/race/racer-lanes.jsx'
import { Podium } from '../parts/results/results.jsx'
import { Invite } from '../parts/room/invite.jsx'
import { WatcherCount } from '../parts/room/people.jsx'
import { Rich, Said } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import { Announcement } from './announcement.jsx'
import { Bracket, treesOf } from './bracket.jsx'
import { Groups } from './groups.jsx'
import { maySitOut, SitOut } from './half-byes.jsx'
import { Desk } from './host-desk.jsx'
import { Now } from './now.jsx'
import { OwnRounds, Rounds } from './played.jsx'
import { Standings, TeamStandings } from './standings.jsx'
import '../pages/room.css'
import '../parts/settings/race-rules.css'
import './room.css'

/** @import { AuditEntry, Tournament, View } from '../protocol/protocol.d.ts' */
/** @import { Refusal } from '../net/refusal.js' */

const Sheets = lazyPage(['race', 'tournament'], async () => (await import('./sheets.jsx')).Sheets)

const LANES = 10 // the number of lanes
const NAMES = 60 // the shown names before the first round, and the shown actions of hosts
const DEEDS = 6
const RULES = 4 // the number of rules that phones show unasked: the invitation is below them
const NARROW = '(max-width: 900px)'

/** The visible progress of the round. @param {{view: View, seat: number, onWatch?: (() => void) | undefined}} props */
function Live({ view, seat, onWatch }) {
  const lanes = useLaneSignal(view.race.number).value
  const blind = isBlind(view)
  return (
    <Panel
      title={t('tournament.room.roundOn')}
      class="live"
      part="live"
      tools={
        blind
          ? undefined
          : ((onWatch && <Button kind="small" icon="eye" text={t('race.room.watchBoards')} onClick={onWatch} />) ?? false)
      }
    >
      {blind ? (
        <p class="hint">{t('tournament.room.blind', doneCount(view))}</p>
      ) : (
        <Lanes lanes={lanes} room={LANES} seat={seat} opponent={opponentOf(view, seat)} />
      )}
      {!blind && lanes.length > LANES && (
        <p class="hint">{t('tournament.room.leaders', { shown: LANES, count: lanes.length })}</p>
      )}
    </Panel>
  )
}

/** The names of entrants. @param {{tournament: Tournament, seats: number[], seat: number, most?: number}} props */
const Names = ({ tournament, seats, seat, most = Infinity }) => (
  <ul class="names">
    {seats
      .filter((who, at) => at < most || who === seat)
      .map((who) => {
        const state = tournament.entrants?.[who]?.state ?? 'in'
        return (
          <li key={who} data-seat={who} data-state={state} data-own={who === seat || undefined}>
            <bdi>{nameOf(tournament, who)}</bdi>
            {who === seat && <span class="lane-you"> {t('front.you')}</span>}
            {state !== 'in' && <small> {t(`tournament.state.${state}`)}</small>}
          </li>
        )
      })}
    {seats.length > most && <li>{t('race.podium.more', { count: seats.length - most })}</li>}
  </ul>
)

/** The entrants, or the teams with their members in order, before there are standings. @param {{tournament: Tournament, seat: number}} props */
function Entrants({ tournament, seat }) {
  const without = teamless(tournament)
  const teams = teamsIn(tournament)
  const isTeams = hasTeams(tournament)
  const all = isTeams ? [...teams, ...(without.length ? [/** @type {const} */ (['', without])] : [])] : []
  const count = isTeams ? teams.length : countIn(tournament)
  return (
    <Panel
      title={isTeams ? t('tournament.setting.team_size') : t('tournament.room.entrants')}
      count={count}
      {...(isTeams && { class: 'team-names' })}
      part="entrants"
    >
      {!(isTeams ? all.length : count) && <p class="hint">{t('tournament.room.nobody')}</p>}
      {all.map(([team, seats]) => (
        <div key={team} data-team={team}>
          <h3>
            {team ? <bdi>{team}</bdi> : t('tournament.teams.none')} <span class="count">{seats.length}</span>
          </h3>
          <Names tournament={tournament} seats={seats} seat={seat} />
        </div>
      ))}
      {!isTeams && (
        <Names tournament={tournament} seats={Object.keys(tournament.entrants ?? {}).map(Number)} seat={seat} most={NAMES} />
      )}
    </Panel>
  )
}

/** The first three, or the first three teams. @param {{tournament: Tournament, seat: number}} props */
export function TournamentPodium({ tournament, seat }) {
  const { plan, teams = [], standings = [] } = tournament
  const resultOf = (/** @type {number} */ score) =>
    hasCup(tournament) || KINDS[plan.format].isBracket ? '' : pointsText(plan, score)
  const rows = hasTeams(tournament)
    ? teams.map(([place, name, score]) => ({ key: name, place, name, score, isOwn: name === teamOf(tournament, seat) }))
    : standings.map(([place, who, score]) => ({ key: who, place, name: nameOf(tournament, who), score, isOwn: who === seat }))
  return (
    <Podium
      part={hasTeams(tournament) ? 'team-podium' : 'podium'}
      rows={rows.map(({ score, ...row }) => ({ ...row, result: resultOf(score) }))}
    />
  )
}

/** The public actions of hosts. @param {{view: View, tournament: Tournament}} props */
function Deeds({ view, tournament }) {
  const [all, setAll] = useState(false)
  const deeds = [...(tournament.desk ?? [])].reverse()
  if (!deeds.length) return null
  const nameAt = (/** @type {number} */ who) => personName(view, who)
  const textOf = (/** @type {AuditEntry} */ deed) => <Said saying={deedSaying(deed, nameAt, isArena(tournament))} />
  return (
    <Panel title={t('tournament.room.log')} class="deeds" part="deeds">
      <ol>
        {deeds.slice(0, all ? undefined : DEEDS).map((deed, i) => (
          <li key={deeds.length - i}>
            <time>{timeText(deed[0])}</time>
            <span>
              {deed[5] ? <s>{textOf(deed)}</s> : textOf(deed)}
              {deed[5] && <small> {t('tournament.deed.takenBack')}</small>}
              {reasonOf(deed) && (
                <small>
                  {' '}
                  <Rich id="tournament.deed.reason" with={{ reason: <bdi>{reasonOf(deed)}</bdi> }} />
                </small>
              )}
            </span>
          </li>
        ))}
      </ol>
      {deeds.length > DEEDS && (
        <Button
          kind="quiet small"
          text={all ? t('tournament.room.lastOnly') : t('tournament.room.all', { count: deeds.length })}
          onClick={() => setAll(!all)}
        />
      )}
    </Panel>
  )
}

/** The rules of the tournament and of its races. @param {View} view @param {Tournament} tournament */
function rulesOf({ settings }, { plan }) {
  // A blind round shows nothing, with any setting for spectators.
  const ours = [t('race.rule.late'), t('race.rule.start'), ...(plan.blind ? [t('race.rule.watching')] : [])]
  return [...planRules(plan), ...[...firstRules(settings), ...otherRules(settings)].filter(([term]) => !ours.includes(term))]
}

/** The downloads of an event. @param {{view: View, tournament: Tournament, seat: number}} props */
function FilesCard({ view, tournament: { plan, phase }, seat }) {
  const { route } = useSite()
  const { code } = view
  const base = `/api/tournaments/${code}`
  const files = [
    ...(plan.team_size > 0 ? [option(`${base}-teams.csv`, t('tournament.files.teams'))] : []),
    option(`${base}.csv`, t('tournament.files.standings')),
    option(`${base}-results.csv`, t('tournament.files.results')),
    option(`${base}.json`, t('tournament.files.all')),
    option(`${base}.bundle.json`, t('tournament.files.records')),
    ...(plan.starts_at != null ? [option(`${base}.ics`, t('tournament.files.calendar'))] : []),
  ]
  // The program knows no password, so it gets the downloaded file.
  const source = plan.entry === 'password' ? fileName(plan.name, `${code}.bundle.json`) : `${location.origin}/r/${code}`
  const command = ['forty-thieves', 'standings', source].join(' ')
  const toSeries = () => route.toSeries(seriesFragment({ ...EMPTY, codes: [code] }))
  const toCopy = () => route.toHostingLike(copyOf(plan, view.settings))
  return (
    <Panel title={t('tournament.room.files')}>
      <div data-part="files">
        <p class="row files">
          {files.map(([path, text]) => (
            <Download key={path} path={path} name={fileName(plan.name, path.replace(/^.*\//, ''))}>
              {text}
            </Download>
          ))}
        </p>
        <p class="hint">
          {t('tournament.files.verify')} <code class="command">{command}</code>
        </p>
      </div>
      <div class="row files-more">
        <Button kind="small" text={t('tournament.room.print')} onClick={route.toPrint} />
        {phase === 'over' && <Button kind="small" text={t('tournament.room.series')} onClick={toSeries} />}
        {isHosting(view, seat) && <Button kind="small" icon="copy" text={t('tournament.room.copy')} onClick={toCopy} />}
      </div>
    </Panel>
  )
}

/** The leaders and their lead. @param {{tournament: Tournament, seat: number}} props */
export const StandingsCard = ({ tournament, seat }) => (
  <Panel
    title={standingsTitle(tournament)}
    label={t('race.page.standings')}
    class="standings"
    tools={isProvisional(tournament) && <span class="badge">{t('tournament.provisional')}</span>}
  >
    <Standings tournament={tournament} seat={seat} />
  </Panel>
)

/**
 * The common parts of the pages of all formats.
 * @param {{view: View, tournament: Tournament, seat: number, isBegun: boolean, isRulesAside?: boolean, now: any, own: any,
 *   main: any, side: any, error?: Refusal | null}} props seat: 0 for a spectator; isRulesAside: whether the plan is at the side
 *   before the start, too; own: the part for the own entrant
 */
export function TournamentPage({ view, tournament, seat, isBegun, isRulesAside = isBegun, now, own, main, side, error }) {
  const { route, visit } = useSite()
  const leave = useAction(visit.leave)
  const { phase, plan } = tournament
  const wrong = error ?? leave.error
  const about = plan.about && (
    <Panel title={t('tournament.about')} part="about">
      <p class="about" dir="auto">
        {plan.about}
      </p>
    </Panel>
  )
  const facts = rulesOf(view, tournament)
  const rules = (
    <Panel title={t('tournament.rules')} part="rules">
      <Facts class="rules" facts={facts.slice(0, RULES)} />
      <details class="all-rules" open={!matchMedia(NARROW).matches}>
        <summary>{t('race.rule.all')}</summary>
        <Facts class="rules" facts={facts.slice(RULES)} />
      </details>
    </Panel>
  )
  if (route.hash.value === PRINTING) return <Sheets view={view} tournament={tournament} />
  return (
    <div class="page" data-page="tournament" data-phase={phase}>
      <Head>
        <WatcherCount />
        {seat > 0 && (
          <ConfirmButton
            kind="quiet"
            icon="out"
            text={t('race.room.leave')}
            question={t('race.room.leaveQuestion')}
            onYes={() => leave.go()}
          />
        )}
      </Head>
      <main class="room tournament">
        <div class="room-main">
          {now}
          <Announcement code={view.code} tournament={tournament} />
          {wrong && <Wrong>{wrong.message}</Wrong>}
          {phase === 'over' && (
            <section class="card end-top on-felt" aria-label={t('tournament.winners')}>
              <TournamentPodium tournament={tournament} seat={seat} />
            </section>
          )}
          {own}
          {isHosting(view, seat) && <Desk view={view} tournament={tournament} seat={seat} />}
          {!isBegun && <Entrants tournament={tournament} seat={seat} />}
          {!isBegun && about}
          {!isRulesAside && rules}
          {main}
        </div>
        <div class="room-side">
          {side}
          <Deeds view={view} tournament={tournament} />
          {isBegun && about}
          {isRulesAside && rules}
          {isBegun && <FilesCard view={view} tournament={tournament} seat={seat} />}
          <ChatCard view={view} seat={seat} />
        </div>
      </main>
    </div>
  )
}

/**
 * @param {{view: View, seat: number, onWatch?: (() => void) | undefined, onBoard?: (() => void) | undefined}} props
 *   `seat`: 0 for a spectator; `onBoard`: back to the racer's own board
 */
export function TournamentRoom({ view, seat, onWatch, onBoard }) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { phase, round } = tournament
  const [sitsOut, setSitsOut] = useState(false)
  const withdraw = useCommand('enter')
  const isIn = tournament.entrants?.[seat]?.state === 'in'
  const racing = phase === 'racing'
  const hasStandings = (tournament.standings?.length ?? 0) > 0
  // A host alone on a phone sees the link above the desk.
  const isFirst = round === 0 && Object.keys(view.people).length < 2 && matchMedia(NARROW).matches
  const invite = (phase === 'entry' || tournament.may_enter) && <Invite code={view.code} />
  const progress = useOfRace('progress', view.race.number).value?.rows
  const live = (/** @type {number} */ who) => {
    const home = progress?.[who]?.home
    return racing && home !== undefined ? String(home) : ''
  }
  const groups = groupTables(tournament)
  const ownRounds = <OwnRounds view={view} tournament={tournament} seat={seat} />

  return (
    <TournamentPage
      view={view}
      tournament={tournament}
      seat={seat}
      isBegun={round > 0}
      error={withdraw.error}
      now={
        <Now view={view} tournament={tournament} seat={seat}>
          {onBoard && <Button kind="large" text={t('tournament.room.myBoard')} onClick={onBoard} />}
          {isIn && maySitOut(tournament, seat) && <Button text={t('tournament.halfBye.open')} onClick={() => setSitsOut(true)} />}
          {isIn && phase !== 'over' && (
            <ConfirmButton
              text={t('tournament.room.withdraw')}
              question={t('tournament.room.withdrawQuestion')}
              onYes={() => withdraw.go(false)}
            />
          )}
        </Now>
      }
      own={phase === 'over' ? ownRounds : isFirst && invite}
      main={
        <>
          {racing && <Live view={view} seat={seat} onWatch={onWatch} />}
          {treesOf(tournament).map((tree) => (
            <Panel key={tree.title} title={tree.title}>
              <Bracket tournament={tournament} tree={tree} seat={seat} live={live} />
            </Panel>
          ))}
          {groups.length > 0 && <Groups tournament={tournament} groups={groups} seat={seat} />}
          {hasStandings && hasTeams(tournament) && <TeamStandings tournament={tournament} seat={seat} />}
          {hasStandings && (groups.length < 2 || tournament.brackets || phase === 'over') && (
            <StandingsCard tournament={tournament} seat={seat} />
          )}
          <Rounds view={view} tournament={tournament} seat={seat} />
          {sitsOut && <SitOut tournament={tournament} seat={seat} onClose={() => setSitsOut(false)} />}
        </>
      }
      side={
        <>
          {round === 0 && !isFirst && invite}
          {phase !== 'over' && ownRounds}
          {round > 0 && invite}
        </>
      }
    />
  )
}
