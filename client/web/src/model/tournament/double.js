/** The scores of a double elimination, worked out from the races; the same as in shared/fortythieves/tournament/double.py. Pure. */
import { isSamePair, playedOut, wonBy } from './double-bracket.js'
import { ABSENT, behindOf, decided } from './knockout.js'
import { isIn } from './results.js'

/**
 * @import { Pair } from './double-bracket.js'
 * @import { Done, Drawn, Entrants, Plan, Scores } from './results.js'
 */

/**
 * @typedef {import('./double-bracket.js').Stage & {done: Done}} Stage
 *
 * @typedef {object} Course
 * @property {number} levels of the winners' bracket
 * @property {Stage[]} stages
 * @property {Pair[]} undecided the pairs of the last stage that are still to be raced, for the first time or again
 * @property {number[]} alive who has not lost twice after it, has not left, and does not race a tie again
 */

/** @param {Plan} plan @param {Entrants} entrants @param {Done[]} rounds @returns {Course} */
function courseOf(plan, entrants, rounds) {
  const drawn = rounds.filter(({ skipped }) => !skipped)
  const course = { rules: plan.rules ?? 1, entrants }
  const seeded = drawn.length ? [...new Set([...drawn[0].byes, ...drawn[0].seats])] : []
  const drawings = drawn.map(({ pairs, seats, byes, lost = [] }) => ({ pairs, everybody: [...seats, ...byes], lost }))
  const { board, stages } = playedOut(seeded, drawings, (n, pair, isFinal, lost) => {
    const { winner } = decided(course, drawn[n], pair)
    return winner === null ? { winner, dropped: null } : wonBy(pair, winner, lost, isFinal && plan.second_final === false)
  })
  const last = drawn.at(-1)
  const undecided = last?.pairs.filter((pair) => !last.played.length || decided(course, last, pair).tied) ?? []
  const on = [...(stages.at(-1)?.results.values() ?? [])].flatMap((result) =>
    [result?.winner ?? [], result?.dropped ?? []].flat(),
  )
  const alive = [...(last?.byes ?? []), ...on].filter((seat) => isIn(entrants, seat))
  return { levels: board.levels, stages: stages.map((stage, n) => ({ ...stage, done: drawn[n] })), undecided, alive }
}

/**
 * The score is how many rounds of the losers' bracket are behind an entrant, with the finals as two more. Who never started
 * and is out has none.
 *
 * @param {Plan} plan @param {Entrants} entrants @param {Done[]} rounds @returns {Scores}
 */
export function doubleOf(plan, entrants, rounds) {
  const course = courseOf(plan, entrants, rounds)
  const { levels, stages } = course
  const behind = stages.map(({ done }) => behindOf(done))
  const champion = championOf(course)
  const racing = course.undecided.flat().filter((seat) => isIn(entrants, seat))
  const still = new Set([...course.alive, ...racing])
  const passed = passedOf(course)
  const scoreOf = (/** @type {number} */ seat) => {
    const given = rounds.map((round) => cellOf(stages.find(({ done }) => done === round) ?? null, seat))
    if (stages.length && !still.has(seat) && !behind.some((counted) => counted.has(seat))) {
      return { total: 0, tiebreaks: [ABSENT], rounds: given }
    }
    const own = stages.findLastIndex(({ done }) => done.played.length && done.seats.includes(seat))
    return {
      total: seat === champion ? 2 * levels : (passed.get(seat) ?? 0),
      tiebreaks: [own < 0 ? 0 : (behind[own].get(seat) ?? ABSENT)],
      rounds: given,
    }
  }
  return { scoreOf, isVacant: stages.length > 0 && !still.size && champion === null }
}

/** What a round gave: 1 for a win; null: nothing, or not known. @param {Stage | null} stage @param {number} seat */
function cellOf(stage, seat) {
  if (!stage?.done.played.length) return null
  const [, result] = [...stage.results].find(([pair]) => pair.includes(seat)) ?? []
  return result?.winner == null ? null : Number(result.winner === seat)
}

/** The last entrant left, or the winner of the last final. @param {Course} course */
function championOf({ stages, undecided, alive }) {
  const last = stages.at(-1)
  if (undecided.length || !last?.done.played.length || alive.length > 1) return null
  if (alive.length) return alive[0]
  const final = [...last.meeting].find(([match]) => match.startsWith('final'))?.[1]
  const result = final && [...last.results].find(([pair]) => isSamePair(pair, final))?.[1]
  return result?.winner ?? null
}

/** How many rounds of the losers' bracket are behind each. @param {Course} course @returns {Map<number, number>} */
function passedOf({ stages }) {
  /** @type {Map<number, number>} */
  const passed = new Map()
  for (const { done, at, alive, lost, results } of stages) {
    for (const seat of alive) passed.set(seat, behindAt(at, lost.has(seat)))
    if (!done.played.length) continue
    const came = [...results.values()]
    const dropped = new Set(came.map((result) => result?.dropped))
    const on = [...done.byes, ...came.flatMap((result) => [result?.winner ?? [], result?.dropped ?? []].flat())]
    for (const seat of on) passed.set(seat, behindAt(at + 1, lost.has(seat) || dropped.has(seat)))
  }
  return passed
}

/** The same for somebody who is still in before a round of the tournament. @param {number} at @param {boolean} hasLost */
function behindAt(at, hasLost) {
  if (hasLost || at === 1) return Math.max(0, at - 2)
  return at % 2 === 0 ? at - 1 : at
}

/** The first round that does not follow from the brackets; null: there is none. @param {Plan} plan @param {Drawn[]} rounds */
export function misdrawnDouble(plan, rounds) {
  const { stages } = courseOf(
    plan,
    {},
    rounds.map((round) => ({ ...round, played: [] })),
  )
  const wrong = stages.find((stage, n) => !meets(stage) || !follows(plan, stage, stages[n - 1]))
  return wrong?.done.number ?? null
}

/** Whether those were drawn who meet by the brackets. @param {Stage} stage */
function meets({ done: { pairs }, meeting }) {
  const right = [...meeting.values()]
  const isThere = (/** @type {Pair} */ pair) => right.some((one) => isSamePair(one, pair))
  return right.length > 0 && pairs.length === right.length && pairs.every(isThere)
}

/** Whether nobody is back who was out, and those have lost who lost their match. @param {Plan} plan @param {Stage} stage @param {Stage | undefined} before */
function follows(plan, { alive, lost }, before) {
  if (!before) return !lost.size
  const drawn = before.done.pairs
  const now = new Set([...lost].filter((seat) => !before.lost.has(seat)))
  const stays = [...lost].every((seat) => alive.has(seat)) && [...alive].every((seat) => before.alive.has(seat))
  const isKept = [...before.lost].every((seat) => lost.has(seat) || !alive.has(seat))
  const haveMet = [...now].every((seat) => drawn.some((pair) => pair.includes(seat)))
  const finals = [...before.meeting].filter(([match]) => match.startsWith('final')).map(([, pair]) => pair)
  const fits = drawn.every((pair) => {
    const fell = pair.filter((seat) => now.has(seat)).length
    const isFinal = finals.some((one) => isSamePair(one, pair))
    const on = pair.filter((seat) => alive.has(seat) && !now.has(seat)).length
    return on < 2 && fell < 2 && !(isFinal && (plan.second_final === false || !fell))
  })
  return stays && isKept && haveMet && fits
}
