/**
 * How a race comes to its end for those who still race: who agrees to end it, who is still asked, and who has won.
 */
import { ABSENT_AFTER } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'

/**
 * @import { View } from '../../protocol/protocol.d.ts'
 * @import { Progress, RacerState } from './room-view.js'
 */

/** The seats that still race. @param {View} view */
const active = (view) =>
  Object.entries(view.race.racers ?? {})
    .filter(([, { state }]) => state === 'racing')
    .map(([seat]) => Number(seat))

/** Who else agrees to end the race. @param {View} view @param {number} seat @returns {string[]} their names */
export const othersWhoAgree = (view, seat) =>
  (view.race.agreed ?? []).filter((one) => one !== seat).map((one) => view.race.racers[one]?.name ?? '')

/** Whether somebody agrees to end the race. @param {View} view @param {number} seat */
export const agrees = (view, seat) => (view.race.agreed ?? []).includes(seat)

/** Whether there is somebody to ask: another person who still races. @param {View} view @param {number} seat */
export const hasOthersToAsk = (view, seat) =>
  !view.tournament && active(view).some((one) => one !== seat && !view.people[one]?.bot)

/** Whether somebody has been away for so long that they are not asked. @param {View} view @param {number} seat @param {number} now */
const isAbsent = (view, seat, now) => now - (view.people[seat]?.away_at ?? now) > ABSENT_AFTER

/** Whether nobody is there to answer: who agrees ends the race at once. @param {View} view @param {number} seat @param {number} now */
export const nobodyAnswers = (view, seat, now) =>
  active(view).every((one) => one === seat || view.people[one]?.bot || isAbsent(view, one, now))

/**
 * Whether somebody else is done, or has been away for long: one may have nothing to win any more, and would wait in vain.
 *
 * @param {View} view @param {number} seat @param {number} now
 */
export const mayWantToEnd = (view, seat, now) =>
  Object.entries(view.race.racers ?? {}).some(
    ([one, { state }]) => Number(one) !== seat && (state !== 'racing' || isAbsent(view, Number(one), now)),
  )

/**
 * Since when all who still race have been away, or null: somebody is here. They are only waited for so long.
 *
 * @param {View} view
 */
export function allAwaySince(view) {
  const times = active(view).map((seat) => view.people[seat]?.away_at ?? null)
  return times.length && times.every((at) => at !== null) ? Math.max(...times.map(Number)) : null
}

/** How one's own race ended, as it is said to oneself. @param {Exclude<RacerState, 'racing'>} state */
export const ownEnd = (state) => t(`more.own.${state}`)

/**
 * Why a race that is over ended for somebody who had not finished, or "".
 *
 * @param {View} ended @param {number} seat
 */
export function whyOver({ race }, seat) {
  const state = race.racers?.[seat]?.state
  if (state !== 'timed_out' && state !== 'did_not_start') return ''
  const isEarly = race.over_at != null && race.ends_at != null && race.over_at < race.ends_at
  return t(isEarly ? 'more.why.ended' : 'more.own.timed_out')
}

// Whether those who watch wait for a racer who makes no move, and whether that racer has agreed to be passed (PROTOCOL.md, "Standing aside").

/** @param {Record<string, Progress>} rows @param {number | string} seat */
const movesOf = (rows, seat) => rows[seat]?.moves ?? 0

/** Whether a racer stands aside: any move ends that. @param {View} view @param {number} seat @param {number} moves */
export const standsAside = ({ race }, seat, moves) => race.aside?.[seat] === moves

/**
 * Whether the boards are shown only as far as one's own, which all others have passed.
 *
 * @param {View} view @param {Record<string, Progress>} rows of the others @param {number} seat @param {number} moves one's own
 */
export function holdsBack({ race, settings, tournament }, rows, seat, moves) {
  const { watch, watching, late } = settings
  if (tournament || watch !== 'frontier' || watching === 'nobody' || late === 'join') return false
  const others = Object.entries(race.racers ?? {}).filter(([one]) => Number(one) !== seat)
  const racing = others.filter(([one, { state }]) => state === 'racing' && race.aside?.[one] !== movesOf(rows, one))
  return others.length > 0 && racing.every(([one]) => movesOf(rows, one) > moves)
}
