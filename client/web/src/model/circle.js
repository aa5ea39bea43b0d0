/** The table of a circle: points for places, over a week, a month, a season, or all that is known. */
import { RACE_SHOWN } from '../protocol/later-constants.js'

/** @import { Circle } from '../protocol/protocol.d.ts' */

export const PERIODS = /** @type {const} */ (['week', 'month', 'season', 'all'])
/** @typedef {(typeof PERIODS)[number]} Period */

/**
 * The rooms in which other members wait, the newest first.
 * @param {Pick<Circle, 'races' | 'members'>} circle @param {number} own the player's number @param {number} now
 */
export const openRaces = ({ races = {}, members = {} }, own, now) =>
  Object.entries(races)
    .filter(([, [number, at]]) => number !== own && now < at + RACE_SHOWN)
    .sort(([, [, one]], [, [, other]]) => other - one)
    .map(([room, [number]]) => ({ room, name: members[number]?.[0] ?? '' }))

/** Points of the first places. */
const POINTS = [10, 8, 6, 5, 4, 3, 2, 1]

/** When a period began, in UTC; a season is a quarter of a year. @param {Period} period @param {number} now */
export function beganAt(period, now) {
  if (period === 'all') return 0
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (period === 'week') return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7))
  return Date.UTC(year, period === 'month' ? month : month - (month % 3), 1)
}

/**
 * The members with points, the best first; equal ones share a place.
 * @param {Pick<Circle, 'scores' | 'counted'>} circle @param {Period} period @param {number} now
 * @returns {{number: number, place: number, points: number, wins: number, played: number}[]}
 */
export function tableOf({ scores = [], counted = 0 }, period, now) {
  /** The places of each member. @type {Map<number, number[]>} */
  const found = new Map()
  for (const [, , at, rows] of scores) {
    if (at < beganAt(period, now)) continue
    for (const [number, place] of rows) found.set(number, [...(found.get(number) ?? []), place])
  }
  const rows = [...found].map(([number, places]) => {
    const best = places.map((place) => POINTS[place - 1] ?? 0).sort((a, b) => b - a)
    const points = best.slice(0, counted || best.length).reduce((sum, one) => sum + one, 0)
    return { number, points, wins: places.filter((place) => place === 1).length, played: places.length }
  })
  rows.sort((a, b) => b.points - a.points || b.wins - a.wins || a.number - b.number)
  const isEqual = (/** @type {number} */ a, /** @type {number} */ b) =>
    rows[a]?.points === rows[b]?.points && rows[a]?.wins === rows[b]?.wins
  return rows.map((row, at) => ({ ...row, place: rows.findIndex((_, first) => isEqual(first, at)) + 1 }))
}
