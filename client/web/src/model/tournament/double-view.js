/** A double elimination for the pages: both brackets, and the place of an entrant in them. Pure. */
import { matchOf, placesOf, spotsOf } from './bracket-places.js'
import { lastRound, matchesOf, playedOut, sourcesOf, wonBy } from './double-bracket.js'
import { isDecided, roundsOf } from './rounds.js'

/** @import { Round, Tournament } from '../../protocol/protocol.d.ts' */
/** @import { Level } from './bracket-places.js' */
/** @import { Match, Pair } from './double-bracket.js' */
/** @import { RoundName } from './rounds.js' */

/**
 * @typedef {object} Course
 * @property {[number, Round][]} drawn @property {(number | null)[]} spots @property {ReturnType<typeof playedOut>['board']} board
 * @property {ReturnType<typeof playedOut>['stages']} stages
 * @typedef {number | null | undefined} Coming null: no entrant; undefined: not known yet
 * @typedef {{winner: Coming, dropped: Coming, sides: [Coming, Coming], drawn: [number, Round] | null}} Info of a match
 * @typedef {object} Brackets
 * @property {Level[]} winners with the finals
 * @property {Level[]} losers none if there are two entrants
 */

/**
 * A cache of the brackets. A clock asks for the name of a round several times a second, and rounds are never changed in place.
 * @type {WeakMap<object, Course | null>}
 */
const known = new WeakMap()

/** @param {Tournament} tournament @returns {Course | null} null before the first draw, and in other formats */
function courseOf(tournament) {
  const { plan, rounds } = tournament
  if (plan.format !== 'double' || !rounds) return null
  const course = known.has(rounds) ? (known.get(rounds) ?? null) : workedOut(tournament)
  known.set(rounds, course)
  return course
}

/** @param {Tournament} tournament @returns {Course | null} */
function workedOut(tournament) {
  const drawn = roundsOf(tournament).filter(([, { state }]) => state !== 'skipped')
  if (!drawn.length) return null
  const spots = spotsOf(drawn[0][1])
  const places = placesOf(spots.length)
  const bySeed = spots.map((seat, spot) => /** @type {const} */ ([places[spot], seat])).sort((a, b) => a[0] - b[0])
  const seeded = bySeed.flatMap(([, seat]) => seat ?? [])
  const drawings = drawn.map(([, { pairs = [], byes = [], lost = [] }]) => ({
    pairs,
    everybody: [...pairs.flat(), ...byes],
    lost,
  }))
  const played = playedOut(seeded, drawings, (n, pair, isFinal, lost) => {
    const { results = {}, state } = drawn[n][1]
    const first = pair.filter((seat) => results[seat]?.[0] === 1)
    if (first.length === 1) return wonBy(pair, first[0], lost, isFinal && !tournament.plan.second_final)
    // If both are second, neither started. If both are first, they race once more.
    return isDecided(state) && !first.length ? { winner: null, dropped: null } : undefined
  })
  return { drawn, spots, ...played }
}

/** @param {Tournament} tournament @returns {Brackets | null} null before the first draw, and in other formats */
export function bracketsOf(tournament) {
  const course = courseOf(tournament)
  if (!course) return null
  const { levels } = course.board
  const infos = infosOf(tournament, course)
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

/** @param {Tournament} tournament @param {Course} course @returns {Map<Match, Info>} */
function infosOf({ entrants = {} }, { drawn, spots, board, stages }) {
  const met = /** @type {Map<Match, {pair: Pair, n: number}>} */ (new Map())
  for (const [n, { meeting }] of stages.entries()) for (const [match, pair] of meeting) met.set(match, { pair, n })
  const results = stages.map((stage) => new Map([...stage.results].map(([pair, result]) => [`${pair}`, result])))
  const last = stages.at(-1)?.at ?? 0
  const infos = /** @type {Map<Match, Info>} */ (new Map())
  const coming = (/** @type {string} */ source) => {
    const [kind, of] = source.split(':')
    if (kind === 'position') return spots[Number(of)] ?? null
    const info = infos.get(of)
    return kind === 'winner' ? info?.winner : info?.dropped
  }
  for (let at = 1; at <= lastRound(board.levels); at += 1) {
    for (const match of matchesOf(at, board.levels)) {
      const [one, other] = sourcesOf(match, board.levels).map(coming)
      /** @type {[Coming, Coming]} */
      const sides = [one, other]
      const raced = met.get(match)
      if (raced) {
        const found = results[raced.n].get(`${raced.pair}`)
        infos.set(match, { winner: found?.winner, dropped: found?.dropped, sides, drawn: drawn[raced.n] })
      } else if (at <= last) {
        infos.set(match, { winner: board.seats.get(`winner:${match}`) ?? null, dropped: null, sides, drawn: null })
      } else {
        const here = sides.flatMap((seat) => (seat != null && entrants[seat]?.state === 'in' ? [seat] : []))
        const isAlone = sides.includes(null) || (sides.every((seat) => seat !== undefined) && here.length < 2)
        const alone = one === null ? other : other === null ? one : (here[0] ?? null)
        infos.set(match, { winner: isAlone ? alone : undefined, dropped: isAlone ? null : undefined, sides, drawn: null })
      }
    }
  }
  return infos
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
  const at = course.drawn.findIndex(([one]) => one === number)
  const last = course.stages.at(-1)
  const isNext = number > (course.drawn.at(-1)?.[0] ?? 0)
  const round = at >= 0 ? course.stages[at].at : isNext && last ? last.at + 1 : 0
  const final = 2 * course.board.levels
  return round === final ? 'final' : round > final ? 'second' : 'round'
}

/**
 * The place of an entrant: winners' bracket, losers' bracket, or out.
 * @param {Tournament} tournament @param {number} seat @returns {'up' | 'low' | 'out' | null} null: nothing is drawn
 */
export function bracketWith(tournament, seat) {
  const course = courseOf(tournament)
  const last = course?.stages.at(-1)
  if (!last) return null
  if (!last.alive.has(seat)) return 'out'
  const now = last.lost.has(seat) ? 'low' : 'up'
  const [, result] = [...last.results].find(([pair]) => pair.includes(seat)) ?? []
  if (!result || result.winner === seat) return now
  return result.dropped === seat ? 'low' : 'out'
}
