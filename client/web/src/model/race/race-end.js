/** The end of a race: racers agree to end it, racers are absent or done, and racers stand aside. */
import { ABSENT_AFTER } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { isEarly } from './room-view.js'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Progress } from './room-view.js' */

/** The seats of the active racers. @param {View} view */
const active = (view) =>
  Object.entries(view.race.racers ?? {})
    .filter(([, { state }]) => state === 'racing')
    .map(([seat]) => Number(seat))

/** The other racers that agree to end the race. @param {View} view @param {number} seat @returns {string[]} their names */
export const othersWhoAgree = (view, seat) =>
  (view.race.agreed ?? []).filter((one) => one !== seat).map((one) => view.race.racers[one]?.name ?? '')

/** Whether a racer agrees to end the race. @param {View} view @param {number} seat */
export const agrees = (view, seat) => (view.race.agreed ?? []).includes(seat)

/** Whether there is another racer to ask, not a bot. @param {View} view @param {number} seat */
export const hasOthersToAsk = (view, seat) =>
  !view.tournament && active(view).some((one) => one !== seat && !view.people[one]?.bot)

/** Whether a racer has been away for too long to be asked. @param {View} view @param {number} seat @param {number} now */
const isAbsent = (view, seat, now) => now - (view.people[seat]?.away_at ?? now) > ABSENT_AFTER

/** Whether no other racer can answer: agreeing ends the race. @param {View} view @param {number} seat @param {number} now */
export const nobodyAnswers = (view, seat, now) =>
  active(view).every((one) => one === seat || view.people[one]?.bot || isAbsent(view, one, now))

/** Whether another racer is done or long away. @param {View} view @param {number} seat @param {number} now */
export const mayWantToEnd = (view, seat, now) =>
  Object.entries(view.race.racers ?? {}).some(
    ([one, { state }]) => Number(one) !== seat && (state !== 'racing' || isAbsent(view, Number(one), now)),
  )

/** Since when all active racers are away; null: one is here. The race waits for a limited time. @param {View} view */
export function allAwaySince(view) {
  const times = active(view).map((seat) => view.people[seat]?.away_at ?? null)
  return times.length && times.every((at) => at !== null) ? Math.max(...times.map(Number)) : null
}

/** Why a finished race ended before its time, or for a racer who had not finished, or "". @param {View} ended @param {number} seat */
export function whyOver({ race, people }, seat) {
  const { state, place } = race.racers?.[seat] ?? {}
  const by = race.ended_by
  if (by != null) {
    const name = race.racers[by]?.name ?? people[by]?.name
    return by === seat ? t('more.why.youEnded') : name ? t('more.why.endedBy', { name }) : t('race.state.ended')
  }
  if (place) return '' // the headline and the margin say it
  if (state !== 'timed_out' && state !== 'did_not_start') return ''
  return t(isEarly(race) ? 'more.why.ended' : 'more.own.timed_out')
}

// Whether spectators wait for a racer without moves, and whether that racer stands aside (PROTOCOL.md, "Standing aside").

/** Whether a racer stands aside. Any move ends that. @param {View} view @param {number} seat @param {number} moves */
export const standsAside = ({ race }, seat, moves) => race.aside?.[seat] === moves

/** Whether a person may watch: a spectator, or a player who is here and does not race. @param {View} view @param {number} watchers */
export const isWatched = ({ people, race }, watchers) =>
  watchers > 0 || Object.entries(people).some(([one, { here, bot }]) => here && !bot && race.racers?.[one]?.state !== 'racing')

/** How many cards a racer has drawn and brought home, less those at the start: entries that show nothing do not count. @param {Progress} row */
const cardsOf = ({ home, stock }) => home - stock

/**
 * Whether spectators wait for this racer, because all others have drawn and brought home more cards.
 * @param {View} view @param {Record<string, Progress>} rows @param {number} seat
 */
export function holdsBack({ race, settings, tournament }, rows, seat) {
  const { watch, watching, late, undo } = settings
  const own = rows[seat]
  if (!own || tournament || watch !== 'frontier' || watching === 'nobody' || late === 'join' || undo === 'free') return false
  const others = Object.entries(race.racers ?? {}).filter(([one]) => Number(one) !== seat)
  const racing = others.filter(([one, { state }]) => state === 'racing' && race.aside?.[one] !== (rows[one]?.moves ?? 0))
  return others.length > 0 && racing.every(([one]) => rows[one] && cardsOf(rows[one]) > cardsOf(own))
}
