/** Views of tournaments, as the server sends them, and a helper for their texts. */
import { t } from '../../../src/words/translate.js'

/** @import { Plan, Round, Tournament, View } from '../../../src/protocol/protocol.d.ts' */
/** @import { Level } from '../../../src/model/tournament/bracket.js' */
/** @import { Saying } from '../../../src/words/translate.js' */

/** @type {Plan} */
export const PLAN = {
  ...{ name: 'Club night', about: '', format: 'points', minutes: 60, race_size: 2, streak: 2, rounds: 3, points: [25, 18, 15] },
  ...{ ladder: [], third_place: true, second_final: true, groups: 1, by_timer: true, pause: 60, entry: 'open', listed: 0 },
  ...{ spectators: 'password', listed_teams: 0, team_size: 0, links_only: false, apart: 0, check_in: 0, half_byes: 0 },
  ...{ no_show: 60, deadly: false, blind: false, quiet: false },
}

const NAMES = ['Ann', 'Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal']

/** @param {number} count @returns {NonNullable<Tournament['entrants']>} */
export const entrants = (count) => Object.fromEntries(NAMES.slice(0, count).map((name, i) => [i + 1, entrant(name)]))

/** @type {Round} */
const ROUND = { game: 'lucas', races: [], pairs: [], byes: [], state: 'played', results: {} }

/**
 * @param {Partial<Omit<Tournament, 'rounds'>> & {rounds?: Record<string, Partial<Round>>}} more
 * @param {Partial<Plan>} [plan] @returns {Tournament}
 */
export const tournament = ({ rounds = {}, ...more }, plan = {}) => ({
  plan: { ...PLAN, ...plan },
  rounds: Object.fromEntries(Object.entries(rounds).map(([number, round]) => [number, { ...ROUND, ...round }])),
  ...{ phase: 'entry', round: 0, rounds_planned: 3, paused: false, again: false, may_enter: true, co_hosts: [] },
  ...{ entrants: entrants(4), standings: [], tiebreaks: ['wins', 'solved', 'home'], desk: [], half_byes: {} },
  ...{ unfinished: [], closed: null, closes_at: null, check_in: null, ...more },
})

/** @param {Tournament} event @returns {View} */
export const viewOf = (event) =>
  /** @type {View} */ (/** @type {unknown} */ ({ code: 'KQXWVD', host: 9, people: {}, race: { number: 1 }, tournament: event }))

/** Pairs of seats. @param {string} text `1-4 2-3` @returns {[number, number][]} */
export const pairsOf = (text) =>
  text ? text.split(' ').map((pair) => /** @type {[number, number]} */ (pair.split('-').map(Number))) : []

/** A round of pairs with its winners. @param {string} pairs `1-4 2-3` @param {number[]} winners @param {number[]} [byes] @returns {Round} */
export const raced = (pairs, winners, byes = []) => ({
  game: 'lucas',
  races: [1],
  pairs: pairsOf(pairs),
  byes,
  state: 'played',
  results: Object.fromEntries(
    pairsOf(pairs)
      .flat()
      .map((seat) => [seat, [winners.includes(seat) ? 1 : 2, 'gave_up', 8, 3, 9000, winners.includes(seat) ? 1 : 0]]),
  ),
})

/** A drawn round. @param {string} pairs `1-4 2-3` @param {number[]} [byes] @returns {Round} */
export const drawn = (pairs, byes = []) => ({ ...ROUND, pairs: pairsOf(pairs), byes, state: 'drawn' })

/**
 * A tournament in or after the last of these rounds.
 * @param {Plan['format']} format @param {Tournament['phase']} phase @param {Partial<Round>[]} rounds
 * @param {Partial<Omit<Tournament, 'rounds'>>} [more] @param {Partial<Plan>} [plan]
 */
export const eventOf = (format, phase, rounds, more = {}, plan = {}) =>
  tournament(
    { phase, round: rounds.length, rounds: Object.fromEntries(rounds.map((round, n) => [n + 1, round])), ...more },
    { format, ...plan },
  )

/** @param {string} name @param {string} [state] @param {string} [reason] @returns {any} */
export const entrant = (name, state = 'in', reason = '') => ({ name, state, reason, since: 1, team: '', board: 0 })

/** @param {Saying['with'][string]} part @returns {string | number | boolean} */
const text = (part) => (Array.isArray(part) ? part.map(text).join('') : typeof part === 'object' ? part.name : part)

/** The plain text of sayings. @param {...Saying} sayings */
export const textOf = (...sayings) =>
  sayings
    .map(({ id, with: parameters }) => {
      const texts = Object.entries(parameters).map(([key, part]) => [key, text(part)])
      return /** @type {any} */ (t)(id, Object.fromEntries(texts))
    })
    .join(' ')

/**
 * Each match of a bracket as two seats. 0: no entrant; ?: not known yet; !: has won.
 * @param {readonly Level[] | undefined} levels
 */
export const sidesAs = (levels) =>
  levels?.map(({ matches }) =>
    matches.map(({ sides }) => sides.map(({ seat, empty, won }) => `${seat ?? (empty ? 0 : '?')}${won ? '!' : ''}`).join(' ')),
  )
