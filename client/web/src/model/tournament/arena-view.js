/** The view of an arena for its pages: its table, its races, and the part of one entrant. Pure. */
import { compare, placesOf } from '../../rules/ranking.js'
import { tiebreaksOf } from './kinds.js'
import { nameOf } from './rounds.js'

/** @import { Standing, Tournament, View } from '../../protocol/protocol.d.ts' */

/**
 * @typedef {NonNullable<Tournament['arena']>} Arena
 * @typedef {object} Heat a race that is under way
 * @property {number} number @property {string} code of its room
 * @property {number} at when its racers were matched
 * @property {number[]} seats @property {string} game
 * @typedef {object} Own the arena for one entrant
 * @property {'races' | 'waits' | 'break' | 'out' | 'none'} is `none`: no entrant
 * @property {Heat | null} heat
 */

/** @param {Tournament | null | undefined} tournament */
export const isArena = (tournament) => tournament?.plan.format === 'arena'

/** Whether the arena has opened. @param {Tournament} tournament */
export const isOpen = ({ arena }) => arena?.opened_at != null

/** The totals of an entrant's races; `isStreak`: the points of the next one are doubled. @param {Tournament} tournament @param {number} seat */
export function sheetOf({ arena, plan }, seat) {
  const sheet = arena?.sheets?.[seat]
  const [points, races, wins, row, solved, home, last] = Array.from({ length: 7 }, (_, at) => Number(sheet?.[at] ?? 0))
  return { points, races, wins, row, solved, home, last, isStreak: plan.streak > 0 && row >= plan.streak }
}

/**
 * The tournament with its standings. For an arena, the server sends only the changed sheets, and the page computes the standings
 * from all sheets.
 * @param {Tournament} tournament @returns {Tournament}
 */
export function withStandings(tournament) {
  const { arena, entrants = {}, plan } = tournament
  const tiebreaks = tiebreaksOf(plan)
  if (!isOpen(tournament)) return tournament
  const known = Object.keys(entrants).map(Number)
  const listed = known.filter((seat) => arena?.sheets?.[seat] || entrants[seat].state !== 'withdrawn')
  const rows = listed
    .filter((seat) => entrants[seat].state !== 'disqualified')
    .map((seat) => {
      const sheet = sheetOf(tournament, seat)
      const values = tiebreaks.map((key) => (key === 'wins' || key === 'solved' || key === 'home' ? sheet[key] : 0))
      return { seat, values: [sheet.points, ...values] }
    })
    .sort((a, b) => compare(b.values, a.values) || a.seat - b.seat)
  const places = placesOf(rows, (one, other) => compare(one.values, other.values))
  const placed = rows.map(
    ({ seat, values: [points, ...values] }, i) => /** @type {Standing} */ ([places[i], seat, points, values]),
  )
  const out = listed
    .filter((seat) => entrants[seat].state === 'disqualified')
    .map((seat) => /** @type {Standing} */ ([null, seat, 0, tiebreaks.map(() => 0)]))
  return { ...tournament, standings: [...placed, ...out] }
}

/** The races under way, the latest first. @param {Tournament} tournament @returns {Heat[]} */
export const heatsOf = ({ arena }) =>
  Object.entries(arena?.under_way ?? {})
    .map(([number, [code, at, seats, game]]) => ({ number: Number(number), code, at, seats, game }))
    .sort((a, b) => b.number - a.number)

/** The last finished races, the latest first. @param {Tournament} tournament */
export const endedOf = ({ arena }) =>
  Object.entries(arena?.ended ?? {})
    .map(([nth, [code, game, racers, skipped, corrections]]) => ({
      number: Number(nth),
      code,
      game,
      racers,
      skipped,
      corrections,
    }))
    .sort((a, b) => b.number - a.number)

/** The entrant's last finished race, if the page knows it. @param {Tournament} tournament @param {number} seat */
export const lastRaceOf = (tournament, seat) =>
  endedOf(tournament).find(({ racers }) => racers.some(([who]) => who === seat))?.number

/** @param {Tournament} tournament @param {number} seat @returns {Own} */
export function ownOf(tournament, seat) {
  const state = tournament.entrants?.[seat]?.state
  const number = tournament.arena?.racing?.[seat]
  const heat = number === undefined ? null : (heatsOf(tournament).find((one) => one.number === number) ?? null)
  if (!state) return { is: 'none', heat }
  if (heat) return { is: 'races', heat }
  return { is: state === 'in' ? 'waits' : state === 'withdrawn' ? 'break' : 'out', heat }
}

/** The names of the others in a race. @param {Tournament} tournament @param {Heat} heat @param {number} seat */
export const rivalsOf = (tournament, heat, seat) => heat.seats.filter((one) => one !== seat).map((one) => nameOf(tournament, one))

/** How many entrants wait for a race. @param {View} view @param {Tournament} tournament */
export const waitingCount = ({ people }, { entrants = {}, arena }) =>
  Object.entries(entrants).filter(
    ([seat, { state }]) => state === 'in' && people[seat]?.here && arena?.racing?.[seat] === undefined,
  ).length
