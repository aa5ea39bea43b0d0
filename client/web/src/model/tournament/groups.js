/**
 * The groups of a round robin, and their rounds; the same as in shared/fortythieves/tournament (roundrobin.py, berger.py).
 *
 * The draw of the first round gives the groups. The knock-out starts with the first round that matches no open round of the
 * groups. Pure.
 */
import { advancing } from './kinds.js'

/** @typedef {{pairs?: [number, number][], byes?: number[]}} Drawn */
/** @typedef {{groups?: number, advance?: number | null}} Plan */

/**
 * @template {Drawn} R
 * @typedef {object} Course
 * @property {number[][]} groups the seats of each group, by their number in it.
 * @property {Map<number, R>} held the drawn rounds of the groups, by their number in the tables.
 * @property {R[]} cup the rounds of the knock-out.
 * @property {(one: number, other: number) => number} numberOf the number in the tables of the round in which two entrants meet.
 */

/** The groups, from the first round. @param {Plan} plan @param {Drawn} first @returns {number[][]} */
export function groupsFrom(plan, { pairs = [], byes = [] }) {
  const entrants = byes.length + 2 * pairs.length
  const [nextPairs, nextByes] = [pairs.values(), byes.values()]
  return sizesOf(entrants, countOf(entrants, plan.groups ?? 1, advancing(plan))).map((size) => {
    const seats = /** @type {number[]} */ ([])
    for (const [one, other] of bergerTable(size, 1)) {
      if (other === null) {
        const bye = nextByes.next().value
        if (bye !== undefined) seats[one - 1] = bye
      } else {
        const pair = nextPairs.next().value
        if (pair) [seats[one - 1], seats[other - 1]] = pair
      }
    }
    return seats.filter((seat) => seat !== undefined)
  })
}

/** The pairs of a round of a group, by seat; null: a bye. @param {number[]} group @param {number} number @returns {[number, number | null][]} */
export const meetings = (group, number) =>
  bergerTable(group.length, number).map(([one, other]) => [group[one - 1], other === null ? null : group[other - 1]])

/** The same key for a pair in either order. @param {number} one @param {number} other */
const keyOf = (one, other) => (one < other ? `${one}-${other}` : `${other}-${one}`)

/**
 * The course so far. Before the first draw there are no groups.
 * @template {Drawn} R @param {Plan} plan @param {R[]} drawn without the rounds that were skipped @returns {Course<R>}
 */
export function courseOf(plan, drawn) {
  const groups = drawn.length ? groupsFrom(plan, drawn[0]) : []
  const numbers = new Map()
  for (const group of groups) {
    for (let number = 1; number <= roundsIn(group.length); number += 1) {
      for (const [one, other] of meetings(group, number)) if (other !== null) numbers.set(keyOf(one, other), number)
    }
  }
  /** @type {Course<R>} */
  const course = { groups, held: new Map(), cup: [], numberOf: (one, other) => numbers.get(keyOf(one, other)) }
  for (const round of drawn) {
    const found = new Set((round.pairs ?? []).map(([one, other]) => course.numberOf(one, other)))
    const [number] = found
    if (course.cup.length || found.size !== 1 || number === undefined || course.held.has(number)) course.cup.push(round)
    else course.held.set(number, round)
  }
  return course
}

/** How many rounds the groups take. @param {number[][]} groups */
export const groupRounds = (groups) => Math.max(0, ...groups.map((group) => roundsIn(group.length)))

/**
 * The undrawn rounds of the groups in which some pair is complete.
 * @param {Course<Drawn>} course @param {(seat: number) => boolean} isIn
 */
export function openRounds({ groups, held, cup }, isIn) {
  if (cup.length) return []
  return Array.from({ length: groupRounds(groups) }, (_, n) => n + 1).filter(
    (number) =>
      !held.has(number) &&
      groups.some((group) => meetings(group, number).some(([one, other]) => other !== null && isIn(one) && isIn(other))),
  )
}

/** The name of a group, counted from 0: A to Z, AA, AB ... @param {number} n */
export const groupLetter = (n) => (n < 26 ? String.fromCharCode(65 + n) : `A${String.fromCharCode(39 + n)}`)

/** Groups and the pairs of their rounds; the same as in shared/fortythieves/tournament/berger.py. Pure. */

/** How many groups are formed. Each has more entrants than advance from it. @param {number} entrants @param {number} groups @param {number} advancing */
export const countOf = (entrants, groups, advancing) =>
  Math.max(1, Math.min(groups, Math.floor(entrants / Math.max(2, advancing + 1))))

/** The sizes of the groups when entrants are dealt to them in snake order. @param {number} entrants @param {number} count @returns {number[]} */
export function sizesOf(entrants, count) {
  const [rows, rest] = [Math.floor(entrants / count), entrants % count]
  const isBack = rows % 2 === 1
  return Array.from({ length: count }, (_, n) => rows + ((isBack ? count - 1 - n : n) < rest ? 1 : 0))
}

/** How many rounds a group takes. @param {number} size */
export const roundsIn = (size) => (size > 1 ? size - ((size + 1) % 2) : 0)

/**
 * The pairs of a round (from 1) of a group, by number in the group; null: a bye.
 *
 * In a table for n (even), two entrants meet in round r if the sum of their numbers is r + 1, modulo n - 1. Number n meets
 * the entrant that would meet itself. If the size of the group is odd, there is no number n.
 * @param {number} size @param {number} number @returns {[number, number | null][]}
 */
export function bergerTable(size, number) {
  if (number < 1 || number > roundsIn(size)) return []
  const even = size + (size % 2)
  const turn = even - 1
  const at = (/** @type {number} */ n) => ((n % turn) + turn) % turn || turn
  const first = at((number + 1) * (even / 2))
  /** @type {[number, number | null][]} */
  const pairs = [[first, size % 2 ? null : even]]
  for (let away = 1; away < even / 2; away += 1) {
    const [one, other] = [at(first + away), at(first - away)]
    pairs.push([Math.min(one, other), Math.max(one, other)])
  }
  return pairs
}
