/** A round robin for the pages: its groups with their results, and the rounds of the knock-out. Pure. */
import { compare } from '../../rules/ranking.js'
import { advancing, KINDS } from './kinds.js'
import { roundsOf } from './rounds.js'

/** @import { Round, Tournament } from '../../protocol/protocol.d.ts' */

/**
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

/** The rounds with a stage of a bracket. @param {Tournament} tournament @returns {[number, Round][]} */
export const cupRounds = (tournament) => roundsOf(tournament).filter(([, { stage }]) => stage)

/** Whether the places now follow from a knock-out instead of the scores. @param {Tournament} tournament */
export const hasCup = (tournament) => tournament.plan.format === 'roundrobin' && cupRounds(tournament).length > 0

/** Whether the winners of a round advance in a bracket. @param {Tournament} tournament @param {number} number */
export const isCupRound = ({ plan, rounds = {} }, number) => KINDS[plan.format].isBracket || rounds[number]?.stage !== undefined

/** The name of a group, counted from 0: A to Z, AA, AB ... @param {number} n */
const groupLetter = (n) => (n < 26 ? String.fromCharCode(65 + n) : `A${String.fromCharCode(39 + n)}`)

/** The same key for a pair in either order. @param {number[]} pair */
const keyOf = ([one, other]) => (one < other ? `${one}-${other}` : `${other}-${one}`)

/** The groups with all their duels; none before the first draw. @param {Tournament} tournament @returns {GroupTable[]} */
export function groupTables(tournament) {
  const { groups = [] } = tournament
  const held = roundsOf(tournament)
    .filter(([, { state, stage }]) => state !== 'skipped' && !stage)
    .map(([, round]) => round)
  const roundOf = new Map(
    held.flatMap((round) => [...(round.pairs ?? []), ...(round.walkovers ?? [])].map((pair) => [keyOf(pair), round])),
  )
  const standings = new Map((tournament.standings ?? []).map((row) => [row[1], row]))
  const isPlaced = (/** @type {number} */ seat) => !standings.size || (standings.get(seat)?.[0] ?? null) !== null
  /** @param {number} seat @param {number} other @returns {GroupCell} */
  const cellOf = (seat, other) => {
    const counts = isPlaced(seat) && isPlaced(other)
    if (seat === other) return { is: 'self', points: null, counts }
    const round = roundOf.get(keyOf([seat, other]))
    if (!round) return { is: 'ahead', points: null, counts }
    const isDrawn = round.pairs?.some((pair) => pair.includes(seat) && pair.includes(other))
    if (isDrawn) return { is: round.results?.[seat] ? 'raced' : 'ahead', points: duelPoints(round, seat, other), counts }
    const isOver = round !== held.at(-1) || hasCup(tournament) || Object.keys(round.results ?? {}).length > 0
    return { is: isOver ? 'walkover' : 'ahead', points: round.byes?.includes(seat) ? 1 : 0, counts }
  }
  return groups.map((group, at) => {
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

/** Whether the entrant's bye in a round of the groups is from the table, and not because an opponent left. @param {Tournament} tournament @param {number} seat */
export const isTableBye = ({ rounds = {}, round }, seat) => !rounds[round]?.walkovers?.flat().includes(seat)

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
