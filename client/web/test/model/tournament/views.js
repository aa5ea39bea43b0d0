/** Views of tournaments, as the server sends them, and a helper for their texts. */
import { t } from '../../../src/words/translate.js'

/**
 * @import { Plan, Round, Tournament, View } from '../../../src/protocol/protocol.d.ts'
 * @import { Saying } from '../../../src/words/translate.js'
 */

/** @type {Plan} */
export const PLAN = {
  name: 'Club night',
  about: '',
  format: 'points',
  minutes: 60,
  race_size: 2,
  streak: 2,
  rounds: 3,
  points: [25, 18, 15],
  ladder: [],
  third_place: true,
  second_final: true,
  groups: 1,
  by_timer: true,
  pause: 60,
  entry: 'open',
  spectators: 'password',
  listed: 0,
  listed_teams: 0,
  team_size: 0,
  links_only: false,
  apart: 0,
  check_in: 0,
  half_byes: 0,
  no_show: 60,
  deadly: false,
  blind: false,
  quiet: false,
}

const NAMES = ['Ann', 'Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal']

/** @param {number} count @returns {NonNullable<Tournament['entrants']>} */
export const entrants = (count) =>
  Object.fromEntries(
    NAMES.slice(0, count).map((name, i) => [i + 1, { name, state: 'in', reason: '', since: 1, team: '', board: 0 }]),
  )

/** @type {Round} */
const ROUND = { game: 'lucas', races: [], pairs: [], byes: [], state: 'played', results: {} }

/**
 * @param {Partial<Omit<Tournament, 'rounds'>> & {rounds?: Record<string, Partial<Round>>}} more
 * @param {Partial<Plan>} [plan] @returns {Tournament}
 */
export const tournament = ({ rounds = {}, ...more }, plan = {}) => ({
  plan: { ...PLAN, ...plan },
  phase: 'entry',
  round: 0,
  rounds_planned: 3,
  paused: false,
  again: false,
  may_enter: true,
  co_hosts: [],
  entrants: entrants(4),
  rounds: Object.fromEntries(Object.entries(rounds).map(([number, round]) => [number, { ...ROUND, ...round }])),
  standings: [],
  tiebreaks: ['wins', 'solved', 'home'],
  desk: [],
  half_byes: {},
  unfinished: [],
  closed: null,
  closes_at: null,
  check_in: null,
  ...more,
})

/** @param {Tournament} held @returns {View} */
export const viewOf = (held) =>
  /** @type {View} */ (/** @type {unknown} */ ({ code: 'KQXWVD', host: 9, people: {}, race: { number: 1 }, tournament: held }))

/** A round of pairs with its winners. @param {[number, number][]} pairs @param {number[]} winners @param {number[]} [byes] @returns {Round} */
export const raced = (pairs, winners, byes = []) => ({
  game: 'lucas',
  races: [1],
  pairs,
  byes,
  state: 'played',
  results: Object.fromEntries(
    pairs.flat().map((seat) => [seat, [winners.includes(seat) ? 1 : 2, 'gave_up', 8, 3, 9000, winners.includes(seat) ? 1 : 0]]),
  ),
})

/** @param {Saying['with'][string]} part @returns {string | number | boolean} */
const text = (part) => (Array.isArray(part) ? part.map(text).join('') : typeof part === 'object' ? part.name : part)

/** The plain text of sayings. @param {...Saying} sayings */
export const said = (...sayings) =>
  sayings
    .map(({ id, with: parameters }) => {
      const texts = Object.entries(parameters).map(([key, part]) => [key, text(part)])
      return /** @type {any} */ (t)(id, Object.fromEntries(texts))
    })
    .join(' ')
