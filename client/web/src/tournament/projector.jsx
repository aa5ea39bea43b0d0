/** The page for a projector: readable from far away, without any input. */
import { clockText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { isBlind } from '../model/race/room-view.js'
import { waitingFor } from '../model/race/waiting.js'
import { heatsOf, isOpen, sheetOf, withStandings } from '../model/tournament/arena-view.js'
import { levelNow, partsOf } from '../model/tournament/bracket.js'
import { byesOf, duelsByBracket } from '../model/tournament/duels.js'
import { groupTables, hasCup } from '../model/tournament/group-tables.js'
import { checkInOf, doneCount, isCheckedIn, isProvisional, nameOf } from '../model/tournament/rounds.js'
import { hasBoards, hasTeams, liveTeams, matchesOf, sideOf, teamOf } from '../model/tournament/team-view.js'
import * as words from '../model/tournament/words.js'
import { lanesToCome } from '../model/watch/overlay.js'
import { Name } from '../parts/controls/face.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { useLaneSignal, useNow, usePageTitle, usePhase, useSite } from '../parts/hooks.js'
import { laneState } from '../parts/race/racer-lanes.jsx'
import { Podium } from '../parts/results/results.jsx'
import { QrCode } from '../parts/room/invite.jsx'
import { PasswordForm } from '../parts/room/password-form.jsx'
import { useOrigin } from '../parts/room/reach.js'
import { useWakeLock } from '../parts/screen.js'
import { CARDS } from '../protocol/constants.js'
import { Said } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import { Levels, treesOf } from './bracket.jsx'
import { GroupTable } from './groups.jsx'
import { WaitsForDeals, waitOf } from './now.jsx'
import { TournamentPodium } from './room.jsx'
import { MatchHead } from './standings.jsx'
import { inPages } from './table-pages.js'
import { PageCount, Turns, useTurn } from './turns.jsx'
import './projector.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { Level } from '../model/tournament/bracket.js' */
/** @import { Tree } from './bracket.jsx' */

const BESIDE = 6 // up to this number, duels are beside the standings; more fill the wall
const MATCHES = 8 // the matches in the first level of a part of a bracket, the parts side by side, and their levels
const PARTS = 2
const DEEP = 2
const SIDES = 6 // the number of named racers of a race of an arena
const COLUMNS = 6 // the levels of a bracket in one part
const LINES = 20 // the lines of group tables below each other
const CROSS = 12 // the entrants of a cross table beside others. A larger one is shown in a few parts.
const CROSS_ROWS = 15
const CROSS_PAGES = 6

/** @param {{tournament: Tournament}} props */
const Provisional = ({ tournament }) =>
  isProvisional(tournament) && <small class="wall-provisional">{t('tournament.provisional')}</small>

/**
 * Standings, of entrants or of teams.
 * @param {{tournament: Tournament, rows?: [place: number | null, who: any, score: number, ...any[]][] | undefined, isTeams?: boolean,
 *   title: string, note?: any}} props
 */
const WallRows = ({ tournament, rows = [], isTeams = false, title, note = <Provisional tournament={tournament} /> }) => (
  <Turns
    part={isTeams ? 'team-standings' : 'standings'}
    label={isTeams ? t('tournament.setting.team_size') : t('race.page.standings')}
    title={
      <>
        {title} {note}
      </>
    }
    items={rows}
    item={([place, who, score]) => (
      <li key={who} class="wall-row" data-state={isTeams ? undefined : tournament.entrants?.[who]?.state}>
        <span class="wall-place">{words.placeOrNone(place)}</span>
        <bdi>{isTeams ? who : nameOf(tournament, who)}</bdi>
        {(isTeams || !hasCup(tournament)) && <b>{words.scoreText(score)}</b>}
      </li>
    )}
  />
)

/** A part of the wall that follows the race. @param {{view: View, show: (lanes: Lane[]) => any}} props */
const Live = ({ view, show }) => show(useLaneSignal(view.race.number).value)

/** The progress of a racer: cards, or the time of a win. @param {Lane} lane */
const howFar = (lane) => (lane.state === 'solved' && lane.ms !== null ? clockText(lane.ms) : String(lane.home))

/** The state of a racer. @param {Lane} lane */
const noteOf = (lane) => (lane.state === 'solved' ? '' : laneState({ lane }))

/**
 * One side of a duel.
 * @param {{tournament: Tournament, seat: number, lane?: Lane | null | undefined, ahead?: boolean, note?: string | undefined}} props
 */
const Side = ({ tournament, seat, lane, ahead, note = lane ? noteOf(lane) : undefined }) => (
  <span class="duel-side" data-state={lane?.state} data-ahead={ahead || undefined}>
    <bdi>{nameOf(tournament, seat)}</bdi>
    {note !== undefined && <small>{note}</small>}
    {lane && <b>{howFar(lane)}</b>}
  </span>
)

/** @param {{view: View}} props */
const WallBlind = ({ view }) => (
  <section class="wall-part" aria-label={t('tournament.room.roundOn')}>
    <h2>{t(view.tournament ? 'tournament.wall.blind' : 'tournament.wall.race')}</h2>
    <p class="wall-large">{t('tournament.wall.done', doneCount(view))}</p>
  </section>
)

/** The leaders, as many as there is room for. @param {{tournament?: Tournament, lanes: Lane[]}} props */
const WallLanes = ({ tournament, lanes }) => (
  <Turns
    part="lanes"
    label={t('tournament.wall.leaders')}
    title={t('tournament.wall.race')}
    items={lanes}
    first
    item={(lane) => (
      <li key={lane.seat} class="wall-lane" data-state={lane.state}>
        <Name seat={lane.seat} name={lane.name} />
        <small>{[tournament && teamOf(tournament, lane.seat), noteOf(lane)].filter(Boolean).join(' · ')}</small>
        <b>{howFar(lane)}</b>
        <span class="wall-bar" aria-hidden="true">
          <span style={{ transform: `scaleX(${lane.home / CARDS})` }} />
        </span>
      </li>
    )}
  />
)

/** @param {{tournament: Tournament}} props */
const WallEntrants = ({ tournament }) => {
  const names = Object.entries(tournament.entrants ?? {}).filter(([, { state }]) => state === 'in')
  const checkIn = useNow(250, (now) => words.checkInText(checkInOf(tournament, now), now))
  return (
    <Turns
      part="entrants"
      label={t('tournament.room.entrants')}
      title={
        <>
          {t('tournament.entrants', { count: names.length })}
          {checkIn && <small class="wall-check-in">{checkIn}</small>}
        </>
      }
      items={names}
      item={([seat, { name }]) => (
        <li key={seat} class="wall-name" data-here={isCheckedIn(tournament, Number(seat)) || undefined}>
          <Name seat={Number(seat)} name={name} />
          {hasTeams(tournament) && (
            <small class="wall-team">{teamOf(tournament, Number(seat)) || t('tournament.teams.none')}</small>
          )}
          {isCheckedIn(tournament, Number(seat)) && <span class="heard"> {t('tournament.checkIn.isHere')}</span>}
        </li>
      )}
    />
  )
}

/**
 * The pairs with their progress.
 * @param {{tournament: Tournament, lanes?: Lane[]}} props lanes: of the running race; empty in a blind round
 */
const WallDuels = ({ tournament, lanes }) => (
  <Turns
    part="pairings"
    title={t('tournament.pairings')}
    items={[
      ...duelsByBracket(tournament, lanes).flatMap(({ bracket, duels }) => (bracket ? [bracket, ...duels] : duels)),
      ...byesOf(tournament),
    ]}
    item={(duel) =>
      typeof duel === 'string' ? (
        <li key={duel} class="duel duel-bracket">
          {t(`tournament.bracket.${duel}`)}
        </li>
      ) : (
        <li key={'is' in duel ? duel.seat : duel[0].seat} class="duel">
          {'is' in duel ? (
            <Side tournament={tournament} seat={duel.seat} note={words.byeFullText(duel.is)} />
          ) : (
            duel.map((side) => <Side key={side.seat} tournament={tournament} {...side} />)
          )}
        </li>
      )
    }
  />
)

/**
 * The matches of the teams with their boards, and how they stand.
 * @param {{tournament: Tournament, lanes?: Lane[]}} props as of `WallDuels`
 */
const WallMatches = ({ tournament, lanes }) => {
  const matches = matchesOf(tournament, lanes)
  const boards = Math.max(1, ...matches.map((match) => match.boards.length + match.byes.length))
  return (
    <Turns
      part="matches"
      title={t('tournament.teams.matches')}
      items={matches}
      item={(match) => (
        <li key={match.one} class="wall-match" style={{ '--boards': boards }}>
          <p class="wall-match-head">
            <MatchHead match={match} isScored={lanes !== undefined} />
          </p>
          {match.boards.map((duel) => (
            <p key={duel[0].seat} class="wall-board">
              {duel.map((side) => (
                <Side key={side.seat} tournament={tournament} {...side} />
              ))}
            </p>
          ))}
          {match.byes.map((seat) => (
            <p key={seat} class="wall-board" data-side={sideOf(tournament, match, seat)}>
              <Side tournament={tournament} seat={seat} note={t('tournament.bye')} />
            </p>
          ))}
        </li>
      )}
    />
  )
}

/** The races of an arena that are under way. @param {{tournament: Tournament}} props */
function WallHeats({ tournament }) {
  const heats = heatsOf(tournament)
  const sides = Math.min(SIDES, Math.max(2, ...heats.map(({ seats }) => seats.length)))
  return (
    <Turns
      part="under-way"
      label={t('tournament.arena.underWay')}
      title={`${t('tournament.arena.underWay')} · ${heats.length}`}
      items={heats}
      item={({ number, seats }) => (
        <li key={number} class="duel" style={{ '--sides': sides }}>
          {seats.slice(0, seats.length > sides ? sides - 1 : sides).map((seat) => (
            <span key={seat} class="duel-side">
              <bdi>{nameOf(tournament, seat)}</bdi>
              {sheetOf(tournament, seat).isStreak && <Icon name="fire" />}
              <b>{words.scoreText(sheetOf(tournament, seat).points)}</b>
            </span>
          ))}
          {seats.length > sides && (
            <span class="duel-side">
              <small>{t('race.podium.more', { count: seats.length - sides + 1 })}</small>
            </span>
          )}
        </li>
      )}
    />
  )
}

/**
 * The pages of brackets, each from the present level on. Two small ones share a page; a large one has parts.
 * @param {Tree[]} trees @returns {{title: string, levels: Level[], third: Tree['third']}[][]}
 */
function bracketPages(trees) {
  const shown = trees.map(({ title, levels, third }) => {
    const first = firstLevel(levels)
    const isSplit = levels[first].matches.length > MATCHES
    const parts = partsOf(levels, first, MATCHES, isSplit ? DEEP : COLUMNS)
    return { title, parts, third: isSplit ? null : third, matches: levels[first].matches.length }
  })
  const all = shown.map(({ title, parts, third }) => parts.map((levels) => ({ title, levels, third })))
  if (shown.reduce((sum, { matches }) => sum + matches, 0) <= MATCHES) return [all.flat()]
  return all.flatMap((parts) => inPages(parts, PARTS))
}

/** The brackets, by turns if they are large. @param {{tournament: Tournament, trees: Tree[], lanes?: Lane[]}} props lanes: while its matches are raced */
function WallBracket({ tournament, trees, lanes = [] }) {
  const laneOf = new Map(lanes.map((lane) => [lane.seat, lane]))
  /** @param {number} seat */
  const live = (seat) => {
    const lane = laneOf.get(seat)
    return (
      lane && (
        <>
          <small>{noteOf(lane)}</small> {howFar(lane)}
        </>
      )
    )
  }
  const pages = bracketPages(trees)
  const page = useTurn(pages.length)
  const shown = pages[page] ?? pages[0]
  const titles = [...new Set(shown.map(({ title }) => title))]
  return (
    <section class="wall-part wall-bracket" aria-label={titles.join(', ')}>
      <h2>
        {titles.length > 1 ? t('tournament.room.bracket') : titles[0]} <PageCount page={page} count={pages.length} />
      </h2>
      <div class="wall-brackets" data-both={titles.length > 1 || undefined}>
        {shown.map(({ title, levels, third }, i) => (
          <Levels key={`${page} ${title} ${i}`} tournament={tournament} seat={0} levels={levels} third={third} live={live} />
        ))}
      </div>
    </section>
  )
}

/** A table in parts of nearly equal length. @param {import('../model/tournament/group-tables.js').GroupTable} table @param {number} most rows in a part */
function slicesOf(table, most) {
  const count = Math.ceil(table.rows.length / most)
  const size = Math.ceil(table.rows.length / count)
  return Array.from({ length: count }, (_, n) => ({ table, from: n * size, to: Math.min((n + 1) * size, table.rows.length) }))
}

/**
 * The groups: places and results in turn.
 * @param {{tournament: Tournament, columns: number}} props columns: the tables beside each other
 */
function WallGroups({ tournament, columns }) {
  const groups = groupTables(tournament)
  const most = Math.max(...groups.map((table) => table.rows.length))
  const hasResults = (tournament.standings?.length ?? 0) > 0
  const parts = groups.flatMap((table) => slicesOf(table, LINES - 2))
  const rows = Math.max(...parts.map(({ from, to }) => to - from))
  const across = Math.min(columns, parts.length)
  const down = Math.max(1, Math.floor(LINES / (rows + 2)))
  const tables = inPages(parts, across * down).map((some) => ({ some, across, isCross: false }))
  // A large cross table needs the whole wall; many of them would take too long.
  const isLarge = most > CROSS
  const wide = isLarge ? groups.flatMap((table) => slicesOf(table, CROSS_ROWS)) : []
  const large = columns > 1 && wide.length <= CROSS_PAGES ? wide.map((one) => ({ some: [one], across: 1, isCross: true })) : []
  const small = inPages(parts, columns > 1 ? across * down : down).map((some) => ({ some, across, isCross: true }))
  const crosses = isLarge ? large : small
  const pages = [...(hasResults || !crosses.length ? tables : []), ...crosses]
  const page = useTurn(pages.length)
  const { some, isCross, across: beside } = pages[page] ?? pages[0]
  const lines = Math.ceil(some.length / beside) * (Math.max(...some.map(({ from, to }) => to - from)) + 2)
  return (
    <section class="wall-part wall-groups" aria-label={t('tournament.setting.groups')}>
      <h2>
        {groups.length > 1 ? t('tournament.setting.groups') : words.standingsTitle(tournament)}{' '}
        <Provisional tournament={tournament} /> <PageCount page={page} count={pages.length} />
      </h2>
      <div
        class="wall-group-tables"
        data-part="wall-groups"
        style={{ '--across': beside, '--cells': isCross ? most : 0, '--lines': lines }}
      >
        {some.map(({ table, from, to }) => (
          <div key={`${table.letter} ${from}`} class="wall-group">
            {groups.length > 1 && <h3>{t('tournament.group', { group: table.letter })}</h3>}
            <GroupTable tournament={tournament} table={table} isCross={isCross} from={from} to={to} />
          </div>
        ))}
      </div>
    </section>
  )
}

/** The level that a bracket is shown from: the present one, or the last of at least four matches. @param {Level[]} levels */
function firstLevel(levels) {
  const now = levelNow(levels)
  const most = Math.max(levels[now].matches.length, Math.min(4, levels[0].matches.length))
  return Math.min(now, levels.map(({ matches }) => matches.length >= most).lastIndexOf(true))
}

/** @param {{tournament: Tournament}} props */
const WallPodium = ({ tournament }) => (
  <section class="wall-part wall-podium" aria-label={t('tournament.winners')}>
    <TournamentPodium tournament={tournament} seat={0} />
  </section>
)

/**
 * The content of the large part of the wall, and its width.
 * @param {View} view @param {Tournament} tournament @returns {{main: any, isWide?: boolean}} main: null for the standings alone
 */
function mainOf(view, tournament) {
  const { phase, plan, round, rounds } = tournament
  if (phase === 'over') return { main: <WallPodium tournament={tournament} /> }
  if (isOpen(tournament)) return { main: <WallHeats tournament={tournament} /> }
  if (round === 0) return { main: <WallEntrants tournament={tournament} /> }
  const isRacing = phase === 'racing'
  if (isRacing && isBlind(view)) return { main: <WallBlind view={view} /> }
  const pairs = rounds?.[round]?.pairs?.length ?? 0
  const trees = treesOf(tournament)
  const hasGroups = plan.format === 'roundrobin' && !trees.length
  if (hasGroups && phase === 'pause') return { main: <WallGroups tournament={tournament} columns={2} />, isWide: true }
  /** With the lanes, while it races. @param {(props: {tournament: Tournament, trees: Tree[], lanes?: Lane[]}) => any} Part */
  const live = (Part) => {
    const props = { tournament, trees }
    return isRacing ? <Live view={view} show={(lanes) => <Part {...props} lanes={lanes} />} /> : <Part {...props} />
  }
  // A bracket on one page shows all duels. A larger one would take too long during a race.
  if (trees.length && (phase === 'pause' || bracketPages(trees).length === 1)) return { main: live(WallBracket), isWide: true }
  if (pairs > 0 && phase !== 'pause') return { main: live(hasBoards(plan) ? WallMatches : WallDuels), isWide: pairs > BESIDE }
  if (isRacing) return { main: <Live view={view} show={(lanes) => <WallLanes tournament={tournament} lanes={lanes} />} /> }
  return { main: tournament.standings?.length ? null : <WallEntrants tournament={tournament} /> }
}

/** How to come to the room. @param {{code: string, isLarge?: boolean}} props */
function WallJoin({ code, isLarge }) {
  const link = `${useOrigin()}/r/${code}`
  return (
    <div class={isLarge ? 'wall-join wall-join-large' : 'wall-join'}>
      <QrCode text={link} />
      <p>
        <span class="wall-code">{code}</span>
        <span class="wall-link">{link.replace(/^https?:\/\//, '')}</span>
      </p>
    </div>
  )
}

/**
 * The frame of every wall: a head with the wait, and parts below it.
 * @param {{view: View, phase?: string | undefined, isWide: boolean, join: 'head' | 'body' | '', head: any, text: any, clock: string, news?: any,
 *   stage: string, children: any}} props join: where the link is; stage: with another one, the pages of the parts start anew
 */
function Wall({ view, phase, isWide, join, head, text, clock, news, stage, children }) {
  useWakeLock(true)
  return (
    <main class="wall" data-page="projector" data-phase={phase} data-wide={isWide || undefined}>
      <header class="wall-head">
        <div>{head}</div>
        {join === 'head' && <WallJoin code={view.code} />}
        <p class="wall-wait" data-part="wait">
          <span>{text}</span>
          {clock && <b role="timer">{clock}</b>}
        </p>
      </header>
      {news}
      <div class="wall-body" key={stage}>
        {children}
        {join === 'body' && <WallJoin code={view.code} isLarge />}
      </div>
    </main>
  )
}

/** @param {{view: View}} props */
function Projector({ view }) {
  const tournament = withStandings(/** @type {Tournament} */ (view.tournament))
  const { text, clock } = useNow(250, (now) => waitOf(view, tournament, now))
  const { phase, round, plan } = tournament
  const { main, isWide } = mainOf(view, tournament)
  const isInGroups = plan.format === 'roundrobin' && phase !== 'over' && !treesOf(tournament).length
  const isBegun = round > 0 || isOpen(tournament)
  // The sums of teams change during a race. A blind round hides them.
  const isSummed = phase === 'racing' && hasTeams(tournament) && !hasBoards(plan) && !isBlind(view)
  const hasStandings = (isSummed || (tournament.standings?.length ?? 0) > 0) && !isWide

  const head = (
    <>
      <h1>
        <bdi>{plan.name || t('tournament.name')}</bdi>
      </h1>
      <p class="wall-stage">
        {words.stageText(tournament)} · {words.formatText(plan.format)} ·{' '}
        {gameName(tournament.rounds?.[round]?.game ?? view.settings.game)}
      </p>
      <WaitsForDeals view={view} isHost={false} />
    </>
  )
  const news = tournament.announcement && (
    <p class="wall-announcement" dir="auto" data-part="announcement">
      {tournament.announcement[1]}
    </p>
  )
  const isAlone = isBegun && !(main && hasStandings)
  return (
    <Wall
      {...{ view, phase, head, news, text, clock }}
      isWide={isAlone}
      join={isBegun ? 'head' : 'body'}
      stage={`${round} ${phase}`}
    >
      {main}
      {hasStandings &&
        (isInGroups ? (
          <WallGroups tournament={tournament} columns={1} />
        ) : isSummed ? (
          <Live
            view={view}
            show={(lanes) => (
              <WallRows
                tournament={tournament}
                rows={liveTeams(tournament, lanes).map(({ place, team, score }) => [place, team, score])}
                isTeams
                title={t('tournament.setting.team_size')}
                note={<small class="wall-provisional">{t('tournament.wall.ifOver')}</small>}
              />
            )}
          />
        ) : hasTeams(tournament) ? (
          <WallRows tournament={tournament} rows={tournament.teams} isTeams title={words.teamsTitle(tournament)} />
        ) : (
          <WallRows tournament={tournament} rows={tournament.standings} title={words.standingsTitle(tournament)} />
        ))}
    </Wall>
  )
}

/** The phase of a race of friends, and its clock. @param {View} view @param {number} now */
function raceWaitOf({ race }, now) {
  const { starts_at: starts, over_at: over, ends_at: ends } = race
  if (over != null) return { text: t('race.ready.over'), clock: '' }
  if (starts == null) return { text: '', clock: '' }
  if (now < starts) return { text: t('tournament.wall.startsIn'), clock: clockText(starts - now + 999) }
  if (ends != null) return { text: t('tournament.wall.endsIn'), clock: clockText(Math.max(0, ends - now + 999)) }
  return { text: t('tournament.wall.isOn'), clock: clockText(now - starts) }
}

/** The race of a room without a tournament. @param {{view: View}} props */
function RaceProjector({ view }) {
  const phase = usePhase(view)
  const { text, clock } = useNow(250, (now) => raceWaitOf(view, now))
  const lanes = useLaneSignal(view.race.number, lanesToCome).value
  const isOn = phase === 'countdown' || phase === 'racing'
  const hasPodium = phase === 'over' && lanes.length > 1
  const rows = lanes.map((lane) => ({
    ...{ key: lane.seat, place: lane.place, name: lane.name, isOwn: false },
    result: howFar(lane),
  }))
  const head = (
    <>
      <h1>{gameName(view.settings.game)}</h1>
      <p class="wall-stage">{t('race.room.raceNumber', { number: view.race.number })}</p>
    </>
  )
  const said = text || <Said saying={waitingFor(view, 0)} />
  return (
    <Wall
      {...{ view, phase, head, clock }}
      text={said}
      isWide={isOn}
      join={isOn ? 'head' : hasPodium ? '' : 'body'}
      stage={phase}
    >
      {phase === 'racing' && isBlind(view) ? <WallBlind view={view} /> : <WallLanes lanes={lanes} />}
      {hasPodium && (
        <section class="wall-part wall-podium" aria-label={t('tournament.winners')}>
          <Podium rows={rows} />
        </section>
      )}
    </Wall>
  )
}

/** Enters as a spectator (`browser/room-visit.js`). @param {{code: string}} props */
export function ProjectorDoor({ code }) {
  const { session, visit } = useSite()
  const view = session.view.value
  const isIn = view?.code === code && session.seat.value === 0

  usePageTitle(view?.tournament?.plan.name || code)

  if (view && isIn) return view.tournament ? <Projector view={view} /> : <RaceProjector view={view} />
  return (
    <main class="narrow plain" data-page="projector-door">
      <section class="card">
        <h1>{code}</h1>
        {visit.why.value?.code === 'wrong-password' ? (
          <PasswordForm />
        ) : (
          <p role="status">{visit.why.value?.message || t('tournament.wall.connecting')}</p>
        )}
      </section>
    </main>
  )
}
