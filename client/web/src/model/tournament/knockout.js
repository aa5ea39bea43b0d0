/**
 * The scores of a knock-out, worked out from the races; the same as in shared/fortythieves/tournament/knockout.py. Pure.
 *
 * The first round has the bracket, by seed. Who was drawn for a round has passed all levels below it, if need be
 * without a race; of the last one, the races say who won.
 */
import { levelOf, thirdOf } from './bracket.js'
import { placesOf } from './bracket-places.js'
import { firstOf, isIn, outcomeOf, ranked } from './results.js'

/** @import { Done, Drawn, Entrants, Outcome, Scores } from './results.js' */

/**
 * @typedef {[number, number]} Pair the better seed first
 *
 * @typedef {object} Stage a round of the bracket
 * @property {Done} done
 * @property {Pair[]} main its pairs, but for that about the third place
 * @property {Pair | undefined} third
 * @property {number} level from 1, the first round, to the final
 * @property {Set<number>} alive who was still in the bracket when it was drawn
 *
 * @typedef {{rules: number, entrants: Entrants, spots: Map<number, number>, levels: number, stages: Stage[]}} Course `spots`: by seed
 */

/** How often those who are exactly tied race again, before the better seed goes on. */
const MOST = 3

const HALF = 0.5

/** Fewer than anybody who raced can beat. */
export const ABSENT = -1

/**
 * Who never started and is out has passed nothing. If nobody can win any more, the first place is empty.
 *
 * @param {number} rules @param {Entrants} entrants @param {Done[]} rounds @returns {Scores}
 */
export function knockoutOf(rules, entrants, rounds) {
  const course = courseOf(
    rules,
    entrants,
    rounds.filter(({ skipped }) => !skipped),
  )
  const passed = course.stages.map((_, n) => passedOf(course, n))
  const behind = course.stages.map(({ done }) => behindOf(done)).reverse()
  const champion = championOf(course)
  const still = stillIn(course)
  const beatenBy = (/** @type {number} */ seat) => {
    if (rules === 1) return behind.find((counted) => counted.has(seat))?.get(seat) ?? 0
    const last = course.stages.findLastIndex(
      ({ done, alive }) => done.played.length && alive.has(seat) && done.seats.includes(seat),
    )
    return last < 0 ? 0 : (behind.at(-1 - last)?.get(seat) ?? ABSENT)
  }
  const hasPassed = (/** @type {number} */ seat) =>
    rules === 1 || !course.stages.length || still.has(seat) || behind.some((counted) => counted.has(seat))
  const scoreOf = (/** @type {number} */ seat) => {
    const own = passed.map((given) => given.get(seat))
    const tops = course.stages.map(({ alive, level }, n) => (alive.has(seat) ? level - (own[n] === 1 ? 0 : 1) : 0))
    const top = seat === champion ? course.levels : Math.max(0, ...tops)
    const third = HALF * own.filter((given) => given === HALF).length
    return {
      total: hasPassed(seat) ? top + third : 0,
      tiebreaks: [hasPassed(seat) ? beatenBy(seat) : ABSENT],
      rounds: rounds.map((round) => own[course.stages.findIndex(({ done }) => done === round)] ?? null),
    }
  }
  return { scoreOf, isVacant: rules > 1 && isVacant(course, still) }
}

/** Who can still win. @param {Course} course */
function stillIn(course) {
  const seats = [...aliveOf(course), ...undecidedOf(course).flat()]
  return new Set(seats.filter((seat) => isIn(course.entrants, seat)))
}

/** @param {Course} course @param {Set<number>} still */
function isVacant(course, still) {
  const last = course.stages.at(-1)
  if (!last || still.size) return false
  const finals = last.level === course.levels ? last.main : []
  return finals.every((pair) => decided(course, last.done, pair).winner === null)
}

/** The bracket as it was drawn. @param {number} rules @param {Entrants} entrants @param {Done[]} drawn @returns {Course} */
function courseOf(rules, entrants, drawn) {
  const seeded = drawn.length ? [...new Set([...drawn[0].byes, ...drawn[0].seats])] : []
  const levels = 32 - Math.clz32(Math.max(1, seeded.length) - 1)
  const places = placesOf(2 ** levels)
  const spots = new Map(seeded.map((seat, n) => [seat, places.indexOf(n + 1)]))
  return { rules, entrants, spots, levels, stages: drawn.map((done) => stageOf(done, spots, levels)) }
}

/** The first round in which others met than the bracket says, of those who were in it; null: there is none. @param {Drawn[]} rounds */
export function misdrawn(rounds) {
  const drawn = rounds.filter(({ skipped }) => !skipped).map((round) => ({ ...round, played: [] }))
  const { spots, stages } = courseOf(1, {}, drawn)
  const wrong = stages.find(
    ({ main, alive }, n) => !samePairs(main, meeting([...alive], spots)) || !follows(stages[n], stages[n - 1]),
  )
  return wrong?.done.number ?? null
}

/** @param {Pair[]} some @param {Pair[]} others */
const samePairs = (some, others) =>
  some.length === others.length && some.every(([a, b]) => others.some(([one, other]) => a === one && b === other))

/** Who meets at the lowest level at which some of these do. @param {number[]} seats @param {Map<number, number>} spots @returns {Pair[]} */
function meeting(seats, spots) {
  const seeded = [...spots.keys()]
  const standing = seats.toSorted((a, b) => (spots.get(a) ?? 0) - (spots.get(b) ?? 0))
  const near = standing.slice(1).map((seat, i) => {
    const pair = [standing[i], seat].sort((a, b) => seeded.indexOf(a) - seeded.indexOf(b))
    return /** @type {Pair} */ (pair)
  })
  const lowest = Math.min(...near.map((pair) => levelOf(pair, spots)))
  return near.filter((pair) => levelOf(pair, spots) === lowest)
}

/** Whether nobody is back who had lost, but for the third place. @param {Stage} stage @param {Stage | undefined} before */
function follows({ alive, third }, before) {
  if (!before) return !third
  const met = before.main.flat()
  const came = before.main.every((pair) => !pair.every((seat) => alive.has(seat)))
  const lost = (third ?? []).every((seat) => met.includes(seat) && !alive.has(seat))
  return came && lost && [...alive].every((seat) => before.alive.has(seat))
}

/** @param {Done} done @param {Map<number, number>} spots @param {number} levels @returns {Stage} */
function stageOf(done, spots, levels) {
  const third = thirdOf(done, spots, levels)
  const main = done.pairs.filter((pair) => pair !== third)
  const level = main.length ? levelOf(main[0], spots) : levels
  return { done, main, third, level, alive: new Set([...done.byes, ...main.flat()]) }
}

/** What a stage gave to each who was in it, as far as that is known. @param {Course} course @param {number} n @returns {Map<number, number>} */
function passedOf(course, n) {
  const { done, main, third } = course.stages[n]
  if (!done.played.length) return new Map()
  const given = new Map(done.byes.map((seat) => [seat, 1]))
  const give = (/** @type {Pair} */ pair, /** @type {number | null} */ winner, /** @type {number} */ prize) => {
    if (winner !== null) for (const seat of pair) given.set(seat, seat === winner ? prize : 0)
  }
  for (const pair of main) give(pair, winnerOf(course, n, pair), 1)
  if (third) give(third, decided(course, done, third).winner, HALF)
  return given
}

/** Who goes on from a pair of a stage: whoever was drawn for the next one, or else won. @param {Course} course @param {number} n @param {Pair} pair */
function winnerOf(course, n, pair) {
  const next = course.stages.at(n + 1)
  return pair.find((seat) => next?.alive.has(seat)) ?? decided(course, course.stages[n].done, pair).winner
}

/**
 * The outcome where one of the two goes on. A tie is decided when it has been played on often enough, or cannot be
 * because somebody has left. If nobody started, nobody goes on; by the first version of the rules, that was a tie.
 *
 * @param {{rules: number, entrants: Entrants}} course @param {Done} done @param {Pair} pair @returns {Outcome}
 */
export function decided({ rules, entrants }, done, pair) {
  const { played } = done
  const found = outcomeOf(entrants, done, pair)
  if (found.tied && !found.equal && rules > 1) return { winner: null, tied: false, equal: false }
  const here = pair.filter((seat) => isIn(entrants, seat))
  if (!found.tied || (here.length === 2 && played.length <= MOST)) return found
  return { winner: here.length === 1 ? here[0] : pair[0], tied: false, equal: false }
}

/** How many came behind each who raced. @param {Done} done @returns {Map<number, number>} */
export function behindOf(done) {
  const [race] = done.played
  const places = race ? ranked(race) : new Map()
  const all = [...places.values()]
  const again = [...firstOf(done).keys()].filter((seat) => done.replayed?.[seat] !== undefined)
  return new Map([
    ...again.map((seat) => /** @type {const} */ ([seat, 0])),
    ...[...places].map(([seat, place]) => /** @type {const} */ ([seat, all.filter((other) => other > place).length])),
  ])
}

/** The pairs of the last stage that are still to be raced, for the first time or again. @param {Course} course */
function undecidedOf(course) {
  const last = course.stages.at(-1)
  return last?.main.filter((pair) => !last.done.played.length || decided(course, last.done, pair).tied) ?? []
}

/** Who is still in the bracket after its last stage, and has not left. @param {Course} course @returns {number[]} */
function aliveOf(course) {
  const { entrants, stages } = course
  const last = stages.at(-1)
  if (!last) return []
  const winners = last.main.map((pair) => winnerOf(course, stages.length - 1, pair))
  return [...last.done.byes, ...winners].filter((seat) => seat !== null).filter((seat) => isIn(entrants, seat))
}

/** Who is left when all others have gone, without a final. @param {Course} course */
function championOf(course) {
  const alive = aliveOf(course)
  const isSettled = course.stages.at(-1)?.done.played.length && !undecidedOf(course).length
  return isSettled && alive.length === 1 ? alive[0] : null
}
