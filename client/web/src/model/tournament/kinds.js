/** The differences of the formats for all pages; the same as in shared/fortythieves/tournament/plan.py. Pure. */
import { DEFAULT_TIEBREAKS, TIEBREAKS } from './plan-constants.js'

/** @import { Plan } from '../../protocol/protocol.d.ts' */

/**
 * @typedef {object} Kind
 * @property {boolean} hasPairs entrants are compared in pairs, and not all with all.
 * @property {boolean} hasRounds all race at the same time, round by round; otherwise free entrants race at any time.
 * @property {boolean} givesPoints each place in a race gives points of the plan.
 * @property {number[]} [points] the default points by place, if the format has its own.
 * @property {boolean} hasTeams entrants can be in teams.
 * @property {boolean} [isBracket] the whole tournament is a bracket, which shows all pairs.
 * @property {boolean} hasSchedule all rounds follow from the first draw: no number of rounds to choose, and no late entry.
 */

/** @type {Record<Plan['format'], Kind>} */
export const KINDS = {
  points: { hasPairs: false, hasRounds: true, givesPoints: true, hasTeams: true, hasSchedule: false },
  knockout: { hasPairs: true, hasRounds: true, givesPoints: false, hasTeams: false, hasSchedule: true, isBracket: true },
  double: { hasPairs: true, hasRounds: true, givesPoints: false, hasTeams: false, hasSchedule: true, isBracket: true },
  swiss: { hasPairs: true, hasRounds: true, givesPoints: false, hasTeams: true, hasSchedule: false },
  roundrobin: { hasPairs: true, hasRounds: true, givesPoints: false, hasTeams: false, hasSchedule: true },
  arena: { hasPairs: false, hasRounds: false, givesPoints: true, points: [2, 0], hasTeams: false, hasSchedule: false },
}

/** How many entrants of each group advance. @param {{groups?: number, advance?: number | null}} plan */
export const advancing = ({ groups = 1, advance = null }) => advance ?? (groups > 1 ? 2 : 0)

/** @typedef {(typeof TIEBREAKS)[keyof typeof TIEBREAKS][number]} Tiebreak */

/**
 * @template {string} T @param {{format: string, tiebreaks?: T[] | null | undefined}} plan
 * @returns {(T | Tiebreak)[]} in their order
 */
export const tiebreaksOf = ({ format, tiebreaks }) => [
  ...(tiebreaks ?? DEFAULT_TIEBREAKS[/** @type {keyof typeof DEFAULT_TIEBREAKS} */ (format)]),
]

// Points by place, as in shared/fortythieves/tournament/points.py, for tables that are computed in the browser.

const NEAR = 1e-6 // sums of thirds of a point can differ a little from the server's

/** @param {number} a @param {number} b */
export const isNear = (a, b) => Math.abs(a - b) < NEAR

export const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)

/** The points of a place that several share: the mean of the points of all their places. @param {number[]} table @param {number} place @param {number} many */
export const meanOf = (table, place, many) => sum(table.slice(place - 1, place - 1 + many)) / many
