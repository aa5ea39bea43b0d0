/** The scores of a round robin, worked out from the races; the same as in shared/fortythieves/tournament/roundrobin.py. Pure. */
import { roundsIn } from './berger.js'
import { courseOf, meetings, openRounds } from './groups.js'
import { advancing } from './kinds.js'
import { knockoutOf, misdrawn as misdrawnCup } from './knockout.js'
import { correctedOf, firstOf, isIn, isOut, isPlayed, outcomeOf } from './results.js'
import { tiebreaksOf } from './tiebreaks.js'

/** @import { Done, Drawn, Entrants, Plan, Played, Score, Scores } from './results.js' */

/**
 * @typedef {import('./groups.js').Course<Done>} Course
 *
 * @typedef {{opponent: number, given: number, played: boolean}} Duel from the view of one seat
 * @typedef {{done: Done, raced: Map<number, Played>, corrected: Map<number, number>}} Held a round that counts
 * @typedef {{entrants: Entrants, course: Course, held: Map<number, Held>, isOver: boolean, tiebreaks: string[]}} Event
 */

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)

/** @param {Drawn} round */
const everybody = ({ seats, byes }) => [...seats, ...byes]

/**
 * @param {Plan} plan @param {Entrants} entrants @param {Done[]} rounds @param {number[]} seats in the table
 * @returns {Scores}
 */
export function roundrobinOf(plan, entrants, rounds, seats) {
  const drawn = rounds.filter(({ skipped }) => !skipped)
  const course = courseOf(plan, drawn)
  const tiebreaks = tiebreaksOf(plan)
  const nothing = { total: 0, tiebreaks: tiebreaks.map(() => 0), rounds: rounds.map(() => null) }
  if (!drawn.length) return { scoreOf: () => nothing, isVacant: false }
  const counted = [...course.held].filter(([, done]) => done.played.length)
  const held = new Map(counted.map(([number, done]) => [number, { done, raced: firstOf(done), corrected: correctedOf(done) }]))
  const isOver = !openRounds(course, (seat) => isIn(entrants, seat)).length && counted.length === course.held.size
  const event = { entrants, course, held, isOver, tiebreaks }
  const cup = course.cup.length ? knockoutOf(plan.rules ?? 1, entrants, course.cup) : null
  const qualified = new Set(course.cup.slice(0, 1).flatMap(everybody))
  /** @type {Map<number, Score>} */
  const scores = new Map()
  for (const group of course.groups) {
    const { rows, cellOf } = groupOf(event, group, seats)
    for (const [seat, [total, ...breaks]] of rows) {
      const own = cup && qualified.has(seat) ? cup.scoreOf(seat) : null
      const better = [...rows.values()].filter((row) => compareRows(row, [total, ...breaks]) > 0).length
      const cells = rounds.map((done) => {
        const at = course.cup.indexOf(done)
        return at >= 0 ? (own?.rounds[at] ?? null) : cellOf(seat, done)
      })
      const order = own ? [1, own.total, ...own.tiebreaks] : [0, -1 - better]
      scores.set(seat, { total, tiebreaks: breaks, rounds: cells, order })
    }
  }
  const grouped = new Set(course.groups.flat())
  const scoreOf = (/** @type {number} */ seat) => (grouped.has(seat) ? (scores.get(seat) ?? null) : { ...nothing, order: [-1] })
  return { scoreOf, isVacant: cup?.isVacant ?? false }
}

/** @param {number[]} one @param {number[]} other */
const compareRows = (one, other) => {
  const at = one.findIndex((value, i) => value !== other[i])
  return at < 0 ? 0 : one[at] - other[at]
}

/**
 * What the rounds of a group gave: the score and the tie-breaks of each who has a place.
 *
 * @param {Event} event @param {number[]} group @param {number[]} seats in the table
 */
function groupOf(event, group, seats) {
  const { course, held, isOver, tiebreaks } = event
  const all = [...held.values()]
  const started = new Map(
    group.map((seat) => [seat, all.filter(({ raced, corrected }) => raced.has(seat) || corrected.has(seat)).length]),
  )
  const annulled = new Set(group.filter((seat) => isAnnulled(event, group, seat, started.get(seat) ?? 0)))
  /** @type {Map<number, Map<number, Duel>>} by seat, and by the number of the round */
  const duels = new Map(group.map((seat) => [seat, new Map()]))
  for (let number = 1; number <= roundsIn(group.length); number += 1) {
    const one = held.get(number)
    if (!one && (!isOver || course.held.has(number))) continue
    for (const [seat, other] of meetings(group, number)) {
      if (other === null || annulled.has(seat) || annulled.has(other)) continue
      for (const [who, duel] of duelsOf(event, [seat, other], one, started)) duels.get(who)?.set(number, duel)
    }
  }
  const of = (/** @type {number} */ seat) => [...(duels.get(seat) ?? [])]
  const totals = new Map(group.map((seat) => [seat, sum(of(seat).map(([, { given }]) => given))]))
  const homeIn =
    (/** @type {number} */ seat) =>
    (/** @type {[number, Duel]} */ [number]) =>
      held.get(number)?.raced.get(seat)?.result.home ?? 0
  /** @param {string} name @param {number} seat @param {number[]} equal */
  const tiebreakOf = (name, seat, equal) => {
    const own = of(seat).map(([, duel]) => duel)
    if (name === 'direct')
      return hasMet(equal) ? sum(own.filter((one) => equal.includes(one.opponent)).map((one) => one.given)) : 0
    if (name === 'sonneborn') return sum(own.map(({ given, opponent }) => given * (totals.get(opponent) ?? 0)))
    if (name === 'wins') return own.filter(({ given, played }) => given === 1 && played).length
    return sum(of(seat).map(homeIn(seat)))
  }
  /** Whether each has met each other one. @param {number[]} equal */
  const hasMet = (equal) =>
    equal.every((seat) => {
      const met = new Set(of(seat).map(([, { opponent }]) => opponent))
      return equal.every((other) => other === seat || met.has(other))
    })
  const counting = group.filter((seat) => seats.includes(seat) && !annulled.has(seat))
  /** @type {Map<number, number[]>} */
  let rows = new Map(counting.map((seat) => [seat, [totals.get(seat) ?? 0]]))
  for (const name of tiebreaks) {
    const before = rows
    const equalTo = (/** @type {number[]} */ row) => counting.filter((seat) => compareRows(before.get(seat) ?? [], row) === 0)
    rows = new Map([...before].map(([seat, row]) => [seat, [...row, tiebreakOf(name, seat, equalTo(row))]]))
  }
  const numberOf = new Map([...held].map(([number, { done }]) => [done, number]))
  const cellOf = (/** @type {number} */ seat, /** @type {Done} */ done) =>
    duels.get(seat)?.get(numberOf.get(done) ?? 0)?.given ?? null
  return { rows, cellOf }
}

/** Whether no result of somebody counts: disqualified, or left before half of the duels were raced. @param {Event} event @param {number[]} group @param {number} seat @param {number} started */
function isAnnulled({ entrants, course }, group, seat, started) {
  if (isOut(entrants, seat)) return true
  if (isIn(entrants, seat)) return false
  const toTheEnd = [course.held.get(roundsIn(group.length)), course.cup[0]]
  if (toTheEnd.some((done) => done && everybody(done).includes(seat))) return false
  return 2 * started < group.length - 1
}

/**
 * A duel from both sides. If one of the two had left, the other one wins, unless he never started a race.
 *
 * @param {Event} event @param {[number, number]} pair @param {Held | undefined} held @param {Map<number, number>} started
 * @returns {[number, Duel][]}
 */
function duelsOf({ entrants }, pair, held, started) {
  const drawn = held?.done.pairs.find((one) => pair.every((seat) => one.includes(seat)))
  if (held && drawn) {
    const { winner, equal } = outcomeOf(entrants, held.done, pair)
    const played = isPlayed(entrants, held.done, pair)
    return pair.map((seat, i) => [seat, { opponent: pair[1 - i], given: seat === winner ? 1 : equal ? 0.5 : 0, played }])
  }
  const here = pair.filter((seat) => (held ? held.done.byes.includes(seat) : isIn(entrants, seat)))
  return pair.map((seat, i) => {
    const won = here.length === 1 && here[0] === seat && (started.get(seat) ?? 0) > 0
    return [seat, { opponent: pair[1 - i], given: won ? 1 : 0, played: false }]
  })
}

/** The first round in which others met than the groups or the bracket say; null: there is none. @param {Plan} plan @param {Drawn[]} rounds */
export function misdrawnRobin(plan, rounds) {
  const drawn = rounds.filter(({ skipped }) => !skipped)
  const { groups, held, cup } = courseOf(plan, drawn)
  for (const [number, round] of held) if (!follows(groups, number, round)) return round.number
  if (!cup.length) return null
  const qualified = new Set(everybody(cup[0]))
  const tooMany = groups.some((group) => group.filter((seat) => qualified.has(seat)).length > advancing(plan))
  const grouped = new Set(groups.flat())
  if (tooMany || [...qualified].some((seat) => !grouped.has(seat))) return cup[0].number
  const other = cup.find((round) => everybody(round).some((seat) => !qualified.has(seat)))
  return other ? other.number : misdrawnCup(cup)
}

/** @param {number[][]} groups @param {number} number @param {Drawn} round */
function follows(groups, number, round) {
  const expected = groups.flatMap((group) => meetings(group, number))
  const isPair = (/** @type {(number | null)[]} */ [one, other], /** @type {(number | null)[]} */ pair) =>
    pair.includes(one) && pair.includes(other)
  const met = expected.filter((pair) => pair[1] !== null && round.pairs.some((one) => isPair(one, pair)))
  const idle = expected
    .filter((pair) => !met.includes(pair))
    .map((pair) => pair.filter((seat) => seat !== null && round.byes.includes(seat)).length)
  const all = groups.flat()
  const isWhole = number > 1 || (all.length === everybody(round).length && all.every((seat) => everybody(round).includes(seat)))
  return isWhole && met.length === round.pairs.length && idle.every((count) => count < 2) && sum(idle) === round.byes.length
}
