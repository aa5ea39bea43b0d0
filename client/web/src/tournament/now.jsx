/** The current state of a tournament, in large letters. */
import { clockText } from '../model/format.js'
import { gameName, isWinnable } from '../model/game-texts.js'
import { roundWaitsForDeals } from '../model/race/ready-deals.js'
import { isHosting, racerAt } from '../model/race/room-view.js'
import { comparedWith, needed } from '../model/tournament/need.js'
import * as rounds from '../model/tournament/rounds.js'
import { checkInText, fileName, roundName, stageText, whenText } from '../model/tournament/words.js'
import { Button } from '../parts/controls/button.jsx'
import { Download } from '../parts/controls/download-button.jsx'
import { Wrong } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { useCommand, useNow, useSite } from '../parts/hooks.js'
import { DealsPreparing } from '../parts/page/lazy-parts.js'
import { Said } from '../words/sentence.jsx'
import { say, t } from '../words/translate.js'
import { OwnTeam } from './team-choice.jsx'
import './now.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */
/** @import { Saying } from '../words/translate.js' */

const DAY = 24 * 3600 * 1000

/**
 * The next event and the time until it: the text above a large clock.
 * @param {View} view @param {Tournament} tournament @param {number} now @param {boolean} [byYou] for a host
 * @returns {{text: string, clock: string}}
 */
export function waitOf(view, tournament, now, byYou) {
  const { phase, round, paused, next_at: at, rounds_planned: planned, arena } = tournament
  if (arena && phase !== 'over') return waitOfArena(tournament, now)
  const starts = view.race.starts_at
  const isNext = phase === 'entry' || phase === 'pause'
  const number = isNext ? rounds.nextRound(tournament) : round
  // Before the first draw, the number of rounds of a knock-out is unknown.
  const isKnown = planned >= number && number > 0 && !(isNext && round === 0)
  const name = isKnown ? roundName(tournament, number) : /** @type {const} */ ({ stage: 'round', number })
  if (phase === 'over') return { text: t('tournament.wait.over'), clock: '' }
  if (phase === 'racing' && starts != null) {
    if (now < starts) return { text: t('tournament.wait.startsIn', name), clock: clockText(starts - now + 999) }
    const ends = view.race.ends_at
    if (ends != null) return { text: t('tournament.wait.endsIn', name), clock: clockText(Math.max(0, ends - now + 999)) }
    return { text: t('tournament.wait.isOn', name), clock: clockText(now - starts) }
  }
  if (paused) return { text: t('tournament.wait.paused'), clock: '' }
  if (at == null || roundWaitsForDeals(view, now))
    return { text: t(`tournament.wait.${!isNext ? 'soon' : byYou ? 'byYou' : 'byHost'}`, name), clock: '' }
  if (at - now > DAY) return { text: t('tournament.wait.startsAt', { ...name, when: whenText(at, now) }), clock: '' }
  return { text: t('tournament.wait.startsIn', name), clock: clockText(Math.max(0, at - now + 999)) }
}

/** When an arena opens, or how long races still begin. @param {Tournament} tournament @param {number} now */
function waitOfArena({ arena, paused, next_at: at }, now) {
  if (arena?.opened_at == null) {
    if (at == null || paused) return { text: t('tournament.wait.arenaByHost'), clock: '' }
    if (at - now > DAY) return { text: t('tournament.wait.arenaOpensAt', { when: whenText(at, now) }), clock: '' }
    return { text: t('tournament.wait.arenaOpensIn'), clock: clockText(Math.max(0, at - now + 999)) }
  }
  const left = (arena?.closes_at ?? 0) - now
  if (left <= 0) return { text: t('tournament.wait.arenaLast'), clock: '' }
  const text = paused ? t('tournament.wait.arenaPaused') : t('tournament.wait.arena')
  return { text, clock: clockText(left + 999) }
}

/** @param {{view: View, tournament: Tournament}} props */
function Wait({ view, tournament }) {
  const seat = useSite().session.seat.value
  const { text, clock } = useNow(250, (now) => waitOf(view, tournament, now, isHosting(view, seat)))
  return (
    <p class="wait">
      <span class="wait-text" role="status">
        {text}
      </span>
      {clock && (
        <span class="wait-clock" role="timer">
          {clock}
        </span>
      )}
    </p>
  )
}

/** That the round waits for winnable deals, if it does. @param {{view: View, isHost: boolean}} props */
export const WaitsForDeals = ({ view, isHost }) =>
  isWinnable(view.settings.deal) ? <DealsPreparing view={view} isHost={isHost} /> : null

/** The message for an entrant, a host or a spectator. @param {View} view @param {Tournament} tournament @param {number} seat @returns {Saying} */
function who(view, tournament, seat) {
  if (tournament.entrants?.[seat]) return comparedWith(view, seat)
  if (seat === 0) return say('tournament.compared.watching')
  if (seat === view.host || seat === view.creator) return say('tournament.compared.host')
  if (isHosting(view, seat)) return say('tournament.compared.coHost')
  if (tournament.phase === 'over') return say('tournament.compared.over')
  if (tournament.may_enter) return say('tournament.compared.noEntrant')
  if (tournament.closed) return say(`tournament.compared.entry.${tournament.closed}`)
  return say('tournament.compared.tooLate')
}

/** Come in, come back, or go. @param {{view: View, tournament: Tournament, seat: number}} props */
export function Entrance({ view, tournament, seat }) {
  const { route } = useSite()
  const take = useCommand('enter')
  const { phase, may_enter: mayEnter } = tournament
  const entrant = tournament.entrants?.[seat]
  if (phase === 'over') return null
  if (seat === 0) {
    return mayEnter && <Button kind="main large" text={t('tournament.now.enter')} onClick={() => route.toRoom(view.code)} />
  }
  // An entrant without check-in enters late, if late entry is allowed.
  const isMissing = entrant?.reason === 'check_in' && tournament.round === 0
  const canEnter = entrant && !isMissing ? entrant.state === 'withdrawn' && !rounds.isTooLate(tournament, seat) : mayEnter
  return (
    <>
      {canEnter && (
        <Button
          kind={!entrant && seat === view.host ? 'large' : 'main large'}
          text={
            entrant ? t('tournament.now.comeBack') : seat === view.host ? t('tournament.now.playToo') : t('tournament.now.enter')
          }
          {...take.button(true)}
        />
      )}
      {take.error && <Wrong>{take.error.message}</Wrong>}
    </>
  )
}

/** How long one may still check in, and the button for it. @param {{tournament: Tournament, seat: number}} props */
function CheckIn({ tournament, seat }) {
  const checkIn = useCommand('check_in')
  const { is, text } = useNow(250, (now) => {
    const asked = rounds.checkInOf(tournament, now)
    return { is: asked?.is, text: checkInText(asked, now) }
  })
  if (!text || is === 'over') return null
  const isIn = tournament.entrants?.[seat]?.state === 'in'
  if (isIn && rounds.isCheckedIn(tournament, seat)) {
    return (
      <p class="check-in" data-part="check-in" data-done>
        <Icon name="check" /> {t('tournament.checkIn.done')}
      </p>
    )
  }
  return (
    <div class="check-in" data-part="check-in">
      <p>{text}</p>
      {isIn && is === 'open' && <Button kind="main large" text={t('tournament.checkIn.here')} {...checkIn.button(seat)} />}
      {checkIn.error && <Wrong>{checkIn.error.message}</Wrong>}
    </div>
  )
}

/**
 * The event in large letters: its stage, its clock, and what follows.
 * @param {{view: View, tournament: Tournament, game: string, count: number, own?: string, tools: any, children: any}} props
 */
export const NowCard = ({ view, tournament, game, count, own, tools, children }) => (
  <section
    class="card now on-felt"
    aria-label={t('tournament.now.label')}
    data-part="now"
    data-phase={tournament.phase}
    data-own={own}
  >
    <div class="now-words">
      <p class="label">
        {stageText(tournament)} · {gameName(game)} · {t('tournament.entrants', { count })}
      </p>
      <h1>
        <bdi>{tournament.plan.name || t('tournament.name')}</bdi>
      </h1>
      {tournament.phase !== 'over' && <Wait view={view} tournament={tournament} />}
      {children}
    </div>
    <div class="row now-tools">{tools}</div>
  </section>
)

/**
 * The next start, the opponent, and the next action.
 * @param {{view: View, tournament: Tournament, seat: number, children?: any}} props
 */
export function Now({ view, tournament, seat, children }) {
  const { phase } = tournament
  const need = needed(view, seat)
  const own = racerAt(view, seat)
  const place = phase === 'over' ? (rounds.standingOf(tournament, seat)?.[0] ?? null) : null
  return (
    <NowCard
      view={view}
      tournament={tournament}
      game={tournament.rounds?.[tournament.round]?.game ?? view.settings.game}
      count={rounds.countIn(tournament)}
      tools={
        <>
          <Entrance view={view} tournament={tournament} seat={seat} />
          {phase === 'entry' && tournament.next_at != null && (
            <Download path={`/api/tournaments/${view.code}.ics`} name={fileName(tournament.plan.name, `${view.code}.ics`)}>
              {t('tournament.now.calendar')}
            </Download>
          )}
          {children}
        </>
      }
    >
      <p class="now-need" role="status" data-part="no-host">
        {rounds.waitsForAbsentHost(view) && t('tournament.wait.noHost')}
      </p>
      <WaitsForDeals view={view} isHost={view.host === seat} />
      {phase === 'entry' && <CheckIn tournament={tournament} seat={seat} />}
      <p class="now-who" data-part="compared">
        {place !== null && place <= 3 && (
          <span class="medal" data-place={place} role="img" aria-label={t('tournament.now.medal', { place })}>
            {place}
          </span>
        )}
        <Said saying={who(view, tournament, seat)} />
      </p>
      <OwnTeam tournament={tournament} seat={seat} />
      {need.length > 0 && (
        <p class="now-need" data-part="need">
          {need.map((saying) => (
            <span key={saying.id}>
              <Said saying={saying} />{' '}
            </span>
          ))}
        </p>
      )}
      {phase === 'racing' && tournament.paused && !tournament.arena && <p class="now-need">{t('tournament.now.held')}</p>}
      {phase === 'racing' && own && own.state !== 'racing' && <p class="now-need">{t('tournament.now.done')}</p>}
    </NowCard>
  )
}
