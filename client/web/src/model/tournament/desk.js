/** The host's overview: active racers, and missing entrants. Pure. */
import { isCupRound } from './group-tables.js'
import { KINDS } from './kinds.js'
import { askedBy, isDecided, presenceOf, roundsOf } from './rounds.js'
import { hasBoards, teamless } from './team-view.js'

/** @import { Tournament, View } from '../../protocol/protocol.d.ts' */

/** @typedef {typeof GROUPS[number]} Group */

export const GROUPS = /** @type {const} */ (['all', 'missing', 'here', 'noTeam', 'racing', 'away', 'halfBye', 'noShow', 'out'])

/** Entrants and other people in the room, by group. One person may be in several groups. @param {View} view @returns {Record<Group, number[]>} */
export function groupsOf(view) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { entrants = {}, phase, arena } = tournament
  const all = [...new Set([...Object.keys(entrants), ...Object.keys(view.people)].map(Number))].sort((a, b) => a - b)
  const races = (/** @type {number} */ seat) => {
    // In an arena they race in other rooms.
    if (arena?.racing?.[seat] !== undefined) return true
    const racer = view.race.racers?.[seat]
    return phase === 'racing' && racer?.state === 'racing' && racer.gave_up_at == null
  }
  const isIn = (/** @type {number} */ seat) => entrants[seat]?.state === 'in'
  const isNoShow = (/** @type {number} */ seat) => entrants[seat]?.state === 'withdrawn' && entrants[seat].reason === 'no_show'
  return {
    all,
    ...presenceOf(tournament),
    noTeam: phase === 'over' ? [] : teamless(tournament),
    racing: all.filter(races),
    away: all.filter(
      (seat) => isIn(seat) && !view.people[seat]?.here && !view.people[seat]?.bot && arena?.racing?.[seat] === undefined,
    ),
    halfBye: all.filter((seat) => isIn(seat) && askedBy(tournament, seat).length),
    noShow: all.filter(isNoShow),
    out: all.filter((seat) => entrants[seat] && !isIn(seat) && !isNoShow(seat)),
  }
}

/** How many names of the list are still unclaimed; 0 without a list. @param {Tournament} tournament @param {number | null} creator need not be on it */
export function unclaimedOf({ plan, entrants = {} }, creator) {
  if (plan.entry !== 'list') return 0
  const claimed = Object.entries(entrants).filter(([seat, { reason }]) => Number(seat) !== creator && reason !== 'released')
  return Math.max(0, Number(plan.listed) - claimed.length)
}

/** Whether a host can correct results of a round. @param {Tournament} tournament @param {number} number of the round */
export function isCorrectable(tournament, number) {
  const isFixed = number !== tournament.round && isCupRound(tournament, tournament.round)
  return isDecided(tournament.rounds?.[number]?.state) && !isFixed
}

/** The finished rounds in which a host can correct the entrant's result, the last one first. @param {Tournament} tournament @param {number} seat */
export const correctable = (tournament, seat) =>
  roundsOf(tournament)
    .filter(([number, { results }]) => isCorrectable(tournament, number) && results?.[seat])
    .map(([number]) => number)
    .reverse()

/** The points of an entrant in a pair. */
const VALUES = /** @type {const} */ ({ won: [1, 0], lost: [0, 1], tied: [0.5, 0.5], neither: [0, 0], raced: [null, null] })

/** @typedef {keyof typeof VALUES} How the result of a pair for one of the two; `raced`: the result of the races */

/** @param {Tournament} tournament @param {number} number of the round @returns {How[]} */
export const waysOf = (tournament, number) =>
  isCupRound(tournament, number) ? ['won', 'lost', 'raced'] : ['won', 'lost', 'tied', 'neither', 'raced']

/** The values that a correction of a pair sends. @param {number} seat @param {number} other @param {How} how @returns {[number, number | null][]} */
export const givenOf = (seat, other, how) => [
  [seat, VALUES[how][0]],
  [other, VALUES[how][1]],
]

/** The points in a typed text. null: it is empty. NaN: it is not a number of points. @param {string} text */
export function pointsGiven(text) {
  const typed = text.trim().replace(',', '.')
  if (!typed) return null
  const value = Number(typed)
  return /^\d+(\.\d{1,2})?$/.test(typed) && value <= 1000 ? value : Number.NaN
}

/** The entrants that can swap places with this entrant in the drawn round. @param {Tournament} tournament @param {number} seat @returns {number[]} */
export function swappable({ plan, phase, round, rounds = {} }, seat) {
  const drawn = rounds[round]
  if (phase !== 'drawn' || !drawn?.pairs?.length || drawn.races?.length) return []
  if ((KINDS[plan.format].hasSchedule && round > 1) || hasBoards(plan)) return []
  const byes = drawn.byes ?? []
  const everybody = [...drawn.pairs.flat(), ...byes]
  const pair = drawn.pairs.find((one) => one.includes(seat)) ?? byes
  return everybody.includes(seat) ? everybody.filter((one) => !pair.includes(one)) : []
}
