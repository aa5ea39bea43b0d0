/** A round robin for the pages: its groups with their results, and the rounds of the knock-out. Pure. */
import { compare } from '../../rules/ranking.js'
import { courseOf, groupLetter, groupRounds, meetings, openRounds } from './groups.js'
import { advancing, KINDS } from './kinds.js'
import { roundsOf } from './rounds.js'

/** @import { Round, Tournament } from '../../protocol/protocol.d.ts' */
/** @import { Course } from './groups.js' */

/**
 * @typedef {Round & {number: number}} Numbered
 * @typedef {object} GroupCell a duel of an entrant
 * @property {'self' | 'ahead' | 'raced' | 'walkover'} is `walkover`: without a race, because the opponent had left
 * @property {number | null} points null: nothing, or not known yet
 * @property {boolean} counts
 * @typedef {object} GroupRow
 * @property {number} number in the group
 * @property {number} seat @property {number | null} place in the group; null: nothing counts
 * @property {number} score @property {number[]} tiebreaks
 * @property {GroupCell[]} cells against each of the group, by number
 * @typedef {{letter: string, rows: GroupRow[]}} GroupTable rows: by number
 */

/** @param {Tournament} tournament @returns {Course<Numbered>} */
const courseIn = (tournament) => {
  const drawn = tournament.plan.format === 'roundrobin' ? roundsOf(tournament) : []
  return courseOf(
    tournament.plan,
    drawn.filter(([, { state }]) => state !== 'skipped').map(([number, round]) => ({ ...round, number })),
  )
}

/** The drawn rounds of a knock-out. @param {Tournament} tournament @returns {[number, Round][]} */
export function cupRounds(tournament) {
  if (tournament.plan.format === 'knockout') return roundsOf(tournament).filter(([, { state }]) => state !== 'skipped')
  return courseIn(tournament).cup.map(({ number, ...round }) => [number, round])
}

/** Whether the places now follow from a knock-out instead of the scores. @param {Tournament} tournament */
export const hasCup = (tournament) => tournament.plan.format === 'roundrobin' && cupRounds(tournament).length > 0

/** Whether the winners of a round advance in a bracket. @param {Tournament} tournament @param {number} number */
export const isCupRound = (tournament, number) =>
  KINDS[tournament.plan.format].isBracket || cupRounds(tournament).some(([one]) => one === number)

/**
 * The level of a round in the knock-out, from 1, and the number of levels. null: a round of the groups, or another format.
 * @param {Tournament} tournament @param {number} number may be the round after the last one, too
 * @returns {{level: number, levels: number} | null}
 */
export function cupLevel(tournament, number) {
  const { plan, rounds_planned: planned } = tournament
  if (plan.format === 'knockout') return { level: number, levels: Math.max(number, planned) }
  if (plan.format !== 'roundrobin') return null
  const course = courseIn(tournament)
  const { groups, held, cup } = course
  if (cup.length) {
    const { pairs = [], byes = [] } = cup[0]
    const levels = Math.ceil(Math.log2(2 * pairs.length + byes.length))
    const level = 1 + cup.filter((round) => round.number < number).length
    return number < cup[0].number ? null : { level, levels: Math.max(level, levels) }
  }
  const isNext = number > Math.max(0, ...[...held.values()].map((round) => round.number))
  const isIn = (/** @type {number} */ seat) => tournament.entrants?.[seat]?.state === 'in'
  if (!isNext || !groups.length || !advancing(plan) || openRounds(course, isIn).length) return null
  return { level: 1, levels: Math.max(1, planned - groupRounds(groups)) }
}

/** The groups with all their duels; none before the first draw. @param {Tournament} tournament @returns {GroupTable[]} */
export function groupTables(tournament) {
  const { groups, held, cup, numberOf } = courseIn(tournament)
  const standings = new Map((tournament.standings ?? []).map((row) => [row[1], row]))
  const isPlaced = (/** @type {number} */ seat) => !standings.size || (standings.get(seat)?.[0] ?? null) !== null
  return groups.map((group, at) => {
    const last = Math.max(0, ...held.keys())
    /** @param {number} seat @param {number} other @returns {GroupCell} */
    const cellOf = (seat, other) => {
      const counts = isPlaced(seat) && isPlaced(other)
      if (seat === other) return { is: 'self', points: null, counts }
      const number = numberOf(seat, other)
      const round = held.get(number)
      if (!round) return { is: 'ahead', points: null, counts }
      const isDrawn = round.pairs?.some((pair) => pair.includes(seat) && pair.includes(other))
      if (isDrawn) return { is: round.results?.[seat] ? 'raced' : 'ahead', points: duelPoints(round, seat, other), counts }
      const isOver = number < last || cup.length > 0 || Object.keys(round.results ?? {}).length > 0
      return { is: isOver ? 'walkover' : 'ahead', points: round.byes?.includes(seat) ? 1 : 0, counts }
    }
    const keys = group.map((seat) => {
      const [, , score, breaks] = standings.get(seat) ?? [0, 0, 0, /** @type {number[]} */ ([])]
      return [score, ...breaks]
    })
    const rows = group.map((seat, n) => ({
      number: n + 1,
      seat,
      place:
        standings.size && isPlaced(seat)
          ? 1 + keys.filter((key, i) => isPlaced(group[i]) && compare(key, keys[n]) > 0).length
          : null,
      score: keys[n][0],
      tiebreaks: keys[n].slice(1),
      cells: group.map((other) => cellOf(seat, other)),
    }))
    return { letter: groupLetter(at), rows }
  })
}

/** The points from a duel, even if it does not count. @param {Round} round @param {number} seat @param {number} other */
function duelPoints({ results = {} }, seat, other) {
  const [own, met] = [results[seat], results[other]]
  if (!own) return null
  if (own[5] !== null) return own[5]
  return own[0] === 1 ? (met?.[0] === 1 ? 0.5 : 1) : 0
}

/** The rows in the order of their places. @param {GroupRow[]} rows */
export const byPlace = (rows) => [...rows].sort((a, b) => (a.place ?? 999) - (b.place ?? 999) || a.number - b.number)

/** @param {Tournament} tournament @param {number} seat */
export const groupWith = (tournament, seat) =>
  groupTables(tournament).find(({ rows }) => rows.some((row) => row.seat === seat)) ?? null

/**
 * The next opponent in the group. 0: none, a bye; null: the group is finished, or nothing is drawn yet.
 * @param {Tournament} tournament @param {number} seat @returns {number | null}
 */
export function nextInGroup(tournament, seat) {
  const course = courseIn(tournament)
  const isIn = (/** @type {number} */ one) => tournament.entrants?.[one]?.state === 'in'
  const [number] = openRounds(course, isIn)
  const group = course.groups.find((one) => one.includes(seat))
  const meeting = group && number ? meetings(group, number).find((one) => one.includes(seat)) : undefined
  if (!meeting) return null
  const other = meeting.find((one) => one !== seat) ?? 0
  return other && isIn(other) ? other : 0
}

/** Whether the entrant's bye in a round of the groups is from the table, and not because an opponent left. @param {Tournament} tournament @param {number} seat */
export function isTableBye(tournament, seat) {
  const { groups, held } = courseIn(tournament)
  const number = [...held].find(([, round]) => round.number === tournament.round)?.[0] ?? 0
  return groups.some((group) => meetings(group, number).some(([one, other]) => one === seat && other === null))
}

/** Whether the tables have signs for departed entrants, which the page must explain. @param {GroupTable[]} groups */
export const hasWalkovers = (groups) =>
  groups.some(({ rows }) =>
    rows.some(({ cells }) => cells.some(({ is, counts }) => is === 'walkover' || (is === 'raced' && !counts))),
  )

/** Whether the entrant would advance if the groups were over now. @param {Tournament} tournament @param {GroupRow[]} rows @param {number} seat */
export function goesOn({ plan, entrants = {} }, rows, seat) {
  const places = new Map(rows.filter((row) => entrants[row.seat]?.state === 'in').map((row) => [row.seat, row.place]))
  const own = places.get(seat)
  return own != null && [...places.values()].filter((place) => place !== null && place < own).length < advancing(plan)
}
