/** The page of an arena: the next race, the table, the races under way, and for hosts their desk. */
import { useEffect } from 'preact/hooks'
import { clockText, listText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { stateText } from '../model/race/rule-texts.js'
import * as arenaView from '../model/tournament/arena-view.js'
import { countIn, nameOf, standingOf } from '../model/tournament/rounds.js'
import { placeOrNone, scored, scoreText } from '../model/tournament/words.js'
import { Button } from '../parts/controls/button.jsx'
import { Wrong } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { useCommand, useNow, useSite } from '../parts/hooks.js'
import { Facts, Panel } from '../parts/page/panel.jsx'
import { Invite } from '../parts/room/invite.jsx'
import { t } from '../words/translate.js'
import { Entrance, NowCard } from './now.jsx'
import { Corrections } from './played.jsx'
import { StandingsCard, TournamentPage } from './room.jsx'
import './arena-room.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */

const SHOWN = 8 // the number of listed races

/** The races that this page has opened; after a return it shows the arena. @type {Set<string>} */
const called = new Set()

/** Open the race of a matched entrant automatically. @param {View} view @param {Tournament} tournament @param {number} seat */
function useCall(view, tournament, seat) {
  const { route, seats } = useSite()
  const { heat } = arenaView.ownOf(tournament, seat)
  const code = heat?.code
  const name = view.people[seat]?.name ?? nameOf(tournament, seat)
  const go = () => {
    if (!code) return
    for (const old of called) seats.leave(old)
    called.add(code)
    seats.take(code, name)
    route.toRoom(code)
  }
  useEffect(() => {
    if (code && !called.has(code)) go()
  }, [code])
  return go
}

/** The state of the own entrant. @param {View} view @param {Tournament} tournament @param {number} seat @param {boolean} isClosed */
function ownText(view, tournament, seat, isClosed) {
  const { is, heat } = arenaView.ownOf(tournament, seat)
  const { phase, closed, paused, entrants = {} } = tournament
  if (phase === 'over') {
    const place = standingOf(tournament, seat)?.[0]
    return place ? t('tournament.arena.place', { place }) : t('tournament.compared.over')
  }
  if (is === 'none') {
    if (seat === 0) return t('tournament.compared.watching')
    return closed ? t(`tournament.compared.entry.${closed}`) : t('tournament.arena.none')
  }
  if (is === 'races' && heat) return t('tournament.arena.races', { names: listText(arenaView.rivalsOf(tournament, heat, seat)) })
  if (is === 'break') return t('tournament.arena.break', { why: entrants[seat]?.reason === 'no_show' ? 'noShow' : 'own' })
  if (is === 'out') return t('tournament.arena.out')
  if (!arenaView.isOpen(tournament)) return t('tournament.arena.in')
  if (isClosed) return t('tournament.arena.closed')
  if (paused) return t('tournament.arena.paused')
  return t('tournament.arena.waits', { count: Math.max(0, arenaView.waitingCount(view, tournament) - 1) })
}

/** The own points, and those of the last race. @param {{tournament: Tournament, seat: number}} props */
function OwnSheet({ tournament, seat }) {
  const { points, races, wins, row, last, isStreak } = arenaView.sheetOf(tournament, seat)
  const place = standingOf(tournament, seat)?.[0] ?? null
  const takesPart = races > 0 || tournament.entrants?.[seat]?.state === 'in'
  if (!takesPart || !arenaView.isOpen(tournament)) return null
  return (
    <Panel title={t('tournament.arena.own')} class="arena-own" part="own-sheet">
      <Facts
        facts={[
          [t('race.results.place'), placeOrNone(place)],
          [t('tournament.rule.points'), scoreText(points), 'own-points'],
          [t('tournament.arena.racesHead'), races],
          [t('tournament.tiebreak.wins'), wins],
        ]}
      />
      {races > 0 && <p data-part="last-race">{t('tournament.arena.last', scored(last))}</p>}
      {isStreak && (
        <p>
          <span class="flame" data-part="streak">
            <Icon name="fire" /> {t('tournament.arena.streak', { count: row })}
          </span>{' '}
          {t('tournament.arena.doubled')}
        </p>
      )}
    </Panel>
  )
}

/** @param {{view: View, tournament: Tournament, seat: number, onRace: () => void}} props */
function Now({ view, tournament, seat, onRace }) {
  const take = useCommand('enter')
  const { is } = arenaView.ownOf(tournament, seat)
  const { phase, standings = [], arena } = tournament
  const isClosed = useNow(1000, (now) => (arena?.closes_at ?? Infinity) <= now)
  // At the end, all entrants, also those that have left.
  const count = phase === 'over' ? standings.length : countIn(tournament)
  return (
    <NowCard
      view={view}
      tournament={tournament}
      game={view.settings.game}
      count={count}
      own={is}
      tools={
        <>
          {is === 'races' && <Button kind="main large" icon="on" text={t('tournament.arena.toRace')} onClick={onRace} />}
          {is === 'break' && phase !== 'over' ? (
            <Button kind="main large" text={t('tournament.arena.back')} {...take.button(true)} />
          ) : (
            <Entrance view={view} tournament={tournament} seat={seat} />
          )}
          {(is === 'waits' || is === 'races') && phase !== 'over' && (
            <Button {...take.button(false)}>
              <Icon name="pause" /> {t('tournament.arena.takeBreak')}
            </Button>
          )}
          {take.error && <Wrong>{take.error.message}</Wrong>}
        </>
      }
    >
      <p class="now-who" data-part="compared" role="status">
        {ownText(view, tournament, seat, isClosed)}
      </p>
    </NowCard>
  )
}

/** The running races, to watch. @param {{tournament: Tournament}} props */
function Heats({ tournament }) {
  const now = useNow(1000)
  const heats = arenaView.heatsOf(tournament)
  return (
    <Panel title={t('tournament.arena.underWay')} count={heats.length} part="under-way">
      {heats.length === 0 && <p class="hint">{t('tournament.arena.noneUnderWay')}</p>}
      <ul class="heats">
        {heats.slice(0, SHOWN).map(({ number, code, at, seats, game }) => (
          <li key={number} data-race={number}>
            <span>
              {listText(seats.map((who) => nameOf(tournament, who)))}
              <small>
                {' '}
                {gameName(game)} · {clockText(Math.max(0, now - at))}
              </small>
            </span>
            <a class="button button-small" href={`/r/${code}/w`} target="_blank" rel="noopener">
              <Icon name="eye" /> {t('tournament.arena.watch')}
            </a>
          </li>
        ))}
      </ul>
      {heats.length > SHOWN && <p class="hint">{t('race.podium.more', { count: heats.length - SHOWN })}</p>}
    </Panel>
  )
}

/** How the last races ended. @param {{tournament: Tournament, seat: number}} props */
function Ended({ tournament, seat }) {
  const heats = arenaView.endedOf(tournament)
  if (!heats.length) return null
  return (
    <Panel title={t('tournament.arena.ended')} part="ended">
      <ul class="heats">
        {heats.map(({ number, code, racers, skipped, corrections }) => (
          <li key={number} data-race={number} data-skipped={skipped || undefined}>
            <span>
              <small>{t('tournament.arena.number', { number })} </small>
              {[...racers]
                .sort((a, b) => (a[1] ?? Infinity) - (b[1] ?? Infinity))
                .map(([who, place, state, home]) => (
                  <span key={who} class="heat-racer" data-own={who === seat || undefined}>
                    {placeOrNone(place)} <bdi>{nameOf(tournament, who)}</bdi>{' '}
                    <small>{state === 'did_not_start' ? stateText(state) : t('tournament.cards', { count: home })}</small>
                  </span>
                ))}
              {skipped && <small>{t('tournament.arena.skipped')}</small>}
              <Corrections tournament={tournament} round={{ corrections }} />
            </span>
            {racers.length > 0 && (
              <a class="button button-small" href={`/r/${code}/1`} target="_blank" rel="noopener">
                <Icon name="play" /> {t('race.room.replay')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** @param {{view: View, seat: number}} props seat: 0 for a spectator */
export function ArenaRoom({ view, seat }) {
  const tournament = arenaView.withStandings(/** @type {Tournament} */ (view.tournament))
  const go = useCall(view, tournament, seat)
  const open = arenaView.isOpen(tournament)
  const isOver = tournament.phase === 'over'
  return (
    <TournamentPage
      view={view}
      tournament={tournament}
      seat={seat}
      isBegun={open}
      isRulesAside
      now={<Now view={view} tournament={tournament} seat={seat} onRace={go} />}
      own={<OwnSheet tournament={tournament} seat={seat} />}
      main={open && <StandingsCard tournament={tournament} seat={seat} />}
      side={
        <>
          {!isOver && tournament.may_enter && <Invite code={view.code} />}
          {open && !isOver && <Heats tournament={tournament} />}
          {open && <Ended tournament={tournament} seat={seat} />}
        </>
      }
    />
  )
}
