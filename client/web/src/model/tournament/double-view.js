/** A double elimination for the pages: both brackets, and the place of an entrant in them. Pure. */
import { matchOf, spotsOf } from './bracket-places.js'
import { lastRound, matchesOf, sourcesOf } from './double-bracket.js'
import { isDecided, roundsOf } from './rounds.js'

/** @import { Round, Tournament } from '../../protocol/protocol.d.ts' */
/** @import { Level } from './bracket-places.js' */
/** @import { Match } from './double-bracket.js' */
/** @import { RoundName } from './rounds.js' */

/**
 * @typedef {number | null | undefined} Coming null: no entrant; undefined: not known yet
 * @typedef {{winner: Coming, dropped: Coming}} Result of a match; `dropped`: the loser, if that was the first loss
 * @typedef {Result & {sides: Coming[], drawn: [number, Round] | null}} Info of a match
 * @typedef {object} Drawing a drawn round
 * @property {[number, Round]} drawn @property {number} at the round of the tournament by the brackets
 * @property {Set<number>} alive the entrants still in the brackets @property {Set<number>} lost those of them with one loss
 * @typedef {{levels: number, drawings: Drawing[], infos: Map<Match, Info>}} Course levels: of the winners' bracket
 * @typedef {object} Brackets
 * @property {Level[]} winners with the finals
 * @property {Level[]} losers none if there are two entrants
 */

/**
 * A cache of the brackets. A clock asks for the name of a round several times a second, and a tournament is never changed in
 * place.
 * @type {WeakMap<Tournament, Course | null>}
 */
const known = new WeakMap()

/** @param {Tournament} tournament @returns {Course | null} null before the first draw, and in other formats */
function courseOf(tournament) {
  const course = known.has(tournament) ? (known.get(tournament) ?? null) : workedOut(tournament)
  known.set(tournament, course)
  return course
}

/** @param {Tournament} tournament @returns {Course | null} */
function workedOut(tournament) {
  const { plan, entrants = {} } = tournament
  const all = plan.format === 'double' ? roundsOf(tournament).filter(([, { state }]) => state !== 'skipped') : []
  if (!all.length) return null
  const spots = spotsOf(all[0][1])
  const levels = Math.log2(spots.length)
  const drawings = all.map((drawn) => {
    const [, { pairs = [], byes = [], lost }] = drawn
    return { drawn, at: lastRound(levels) + 1, alive: new Set([...pairs.flat(), ...byes]), lost: new Set(lost) }
  })
  const infos = /** @type {Map<Match, Info>} */ (new Map())
  const coming = (/** @type {string} */ source) => {
    const [kind, of] = source.split(':')
    if (kind === 'position') return spots[Number(of)] ?? null
    const info = infos.get(of)
    return kind === 'winner' ? info?.winner : info?.dropped
  }
  for (let at = 1, n = 0; at <= lastRound(levels); at += 1) {
    const [drawing, next] = drawings.slice(n)
    const isIn = (/** @type {number} */ seat) => (drawing ? drawing.alive.has(seat) : entrants[seat]?.state === 'in')
    const matches = matchesOf(at, levels).map((match) => {
      const sides = sourcesOf(match, levels).map(coming)
      return { match, sides, here: sides.flatMap((seat) => (seat != null && isIn(seat) ? [seat] : [])) }
    })
    // The entrants advance without a race until two of them meet.
    const isRaced = drawing && matches.some(({ here }) => here.length === 2)
    for (const { match, sides, here } of matches) {
      if (isRaced && here.length === 2) {
        const isLast = match.startsWith('final') && !plan.second_final
        infos.set(match, { ...resultOf(here, drawing, next, isLast), sides, drawn: drawing.drawn })
      } else if (drawing) {
        infos.set(match, { winner: here[0] ?? null, dropped: null, sides, drawn: null })
      } else {
        const [one, other] = sides
        const isAlone = sides.includes(null) || (sides.every((seat) => seat !== undefined) && here.length < 2)
        const alone = one === null ? other : other === null ? one : (here[0] ?? null)
        infos.set(match, { winner: isAlone ? alone : undefined, dropped: isAlone ? null : undefined, sides, drawn: null })
      }
    }
    if (isRaced) {
      drawing.at = at
      n += 1
    }
  }
  return { levels, drawings, infos }
}

/**
 * The result of a pair: by the next draw, or else by the races.
 * @param {number[]} pair @param {Drawing} drawing @param {Drawing | undefined} next
 * @param {boolean} isLast whether a loser is out even after a first loss @returns {Result}
 */
function resultOf(pair, { drawn: [, { results = {}, state }], lost }, next, isLast) {
  const otherThan = (/** @type {number} */ seat) => (pair[0] === seat ? pair[1] : pair[0])
  const on = pair.filter((seat) => next?.alive.has(seat))
  const dropped = on.find((seat) => next?.lost.has(seat) && !lost.has(seat))
  if (dropped !== undefined) return { winner: otherThan(dropped), dropped }
  if (on.length) return { winner: on[0], dropped: null }
  const [winner, second] = pair.filter((seat) => results[seat]?.[0] === 1)
  // If both are second, neither started. If both are first, they race once more.
  if (winner === undefined && isDecided(state)) return { winner: null, dropped: null }
  if (winner === undefined || second !== undefined) return { winner: undefined, dropped: undefined }
  const loser = otherThan(winner)
  return { winner, dropped: isLast || lost.has(loser) ? null : loser }
}

/** @param {Tournament} tournament @returns {Brackets | null} null before the first draw, and in other formats */
export function bracketsOf(tournament) {
  const course = courseOf(tournament)
  if (!course) return null
  const { levels, infos } = course
  const winners = /** @type {Level[]} */ ([])
  const losers = /** @type {Level[]} */ ([])
  for (let at = 1; at < 2 * levels; at += 1) {
    const matches = matchesOf(at, levels)
    const [up, low] = ['winners', 'losers'].map((side) => matches.filter((match) => match.startsWith(side)))
    if (up.length) winners.push(levelOf(up, infos, winners.length + 1 === levels ? 'upper' : 'up', winners.length + 1))
    if (low.length) losers.push(levelOf(low, infos, losers.length + 3 === 2 * levels ? 'lower' : 'low', losers.length + 1))
  }
  winners.push(levelOf(matchesOf(2 * levels, levels), infos, 'final', 0))
  const [second] = matchesOf(lastRound(levels), levels)
  if (infos.get(second)?.sides.every((seat) => seat != null)) winners.push(levelOf([second], infos, 'second', 0))
  // Leave out the first rounds of the losers' bracket in which no two entrants can meet.
  const first = losers.findIndex(({ matches }) => matches.some(({ sides }) => sides.every(({ empty }) => !empty)))
  return { winners, losers: first < 0 ? [] : losers.slice(first) }
}

/** @param {Match[]} matches @param {Map<Match, Info>} infos @param {RoundName['stage']} stage @param {number} number @returns {Level} */
const levelOf = (matches, infos, stage, number) => ({
  name: { stage, number },
  matches: matches.map((match) => {
    const { winner, sides, drawn } = /** @type {Info} */ (infos.get(match))
    return matchOf(drawn, sides, winner)
  }),
})

/**
 * The name of a round: only the finals have one. It may be the round after the last one, too.
 * @param {Tournament} tournament @param {number} number @returns {'final' | 'second' | 'round'}
 */
export function doubleStage(tournament, number) {
  const course = courseOf(tournament)
  if (!course) return 'round'
  const last = course.drawings.at(-1)
  const isNext = last && number > last.drawn[0]
  const round = isNext ? last.at + 1 : (course.drawings.find(({ drawn: [one] }) => one === number)?.at ?? 0)
  const final = 2 * course.levels
  return round === final ? 'final' : round > final ? 'second' : 'round'
}

/**
 * The place of an entrant: winners' bracket, losers' bracket, or out.
 * @param {Tournament} tournament @param {number} seat @returns {'up' | 'low' | 'out' | null} null: nothing is drawn
 */
export function bracketWith(tournament, seat) {
  const course = courseOf(tournament)
  const last = course?.drawings.at(-1)
  if (!course || !last) return null
  if (!last.alive.has(seat)) return 'out'
  const now = last.lost.has(seat) ? 'low' : 'up'
  const { winner, dropped } =
    [...course.infos.values()].find(({ drawn, sides }) => drawn === last.drawn && sides.includes(seat)) ?? {}
  if (winner === undefined || winner === seat) return now
  return dropped === seat ? 'low' : 'out'
}
