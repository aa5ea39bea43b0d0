/**
 * The groups of a round robin, and their rounds; the same as in shared/fortythieves/tournament/roundrobin.py.
 *
 * The draw of the first round gives the groups. The knock-out starts with the first round that matches no open round of the
 * groups. Pure.
 */
import { bergerTable, countOf, roundsIn, sizesOf } from './berger.js'
import { advancing } from './kinds.js'

/**
 * @typedef {{pairs?: [number, number][], byes?: number[]}} Drawn
 * @typedef {{groups?: number, advance?: number | null}} Plan
 */

/**
 * @template {Drawn} R
 * @typedef {object} Course
 * @property {number[][]} groups the seats of each group, by their number in it.
 * @property {Map<number, R>} held the drawn rounds of the groups, by their number in the tables.
 * @property {R[]} cup the rounds of the knock-out.
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
  /** @type {Course<R>} */
  const course = { groups: drawn.length ? groupsFrom(plan, drawn[0]) : [], held: new Map(), cup: [] }
  const numberOf = new Map(
    course.groups.flatMap((group) =>
      Array.from({ length: roundsIn(group.length) }, (_, n) =>
        meetings(group, n + 1).flatMap(([one, other]) =>
          other === null ? [] : [/** @type {const} */ ([keyOf(one, other), n + 1])],
        ),
      ).flat(),
    ),
  )
  for (const round of drawn) {
    const numbers = new Set((round.pairs ?? []).map(([one, other]) => numberOf.get(keyOf(one, other))))
    const [number] = numbers
    if (course.cup.length || numbers.size !== 1 || number === undefined || course.held.has(number)) course.cup.push(round)
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
