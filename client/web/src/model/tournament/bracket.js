/**
 * The bracket of a knock-out, as the draw has it: laid out by seed with room for a power of two, the best two as far
 * apart as possible. A withdrawal may leave holes in it; an entrant without an opponent advances. Pure.
 */
import { matchOf, spotsOf } from './bracket-places.js'
import { cupRounds } from './group-tables.js'
import { isDecided } from './rounds.js'
import { levelName } from './words.js'

/** @import { Round, Tournament } from '../../protocol/protocol.d.ts' */
/** @import { Level, Match } from './bracket-places.js' */

/** @typedef {{levels: Level[], third: Match | null}} Bracket */

/** @param {Tournament} tournament @returns {Bracket | null} null before the first draw, and in formats without one */
export function bracketOf(tournament) {
  const drawn = cupRounds(tournament)
  if (!drawn.length) return null
  const seats = spotsOf(drawn[0][1])
  const count = Math.log2(seats.length)
  const spots = new Map(seats.flatMap((seat, spot) => (seat === null ? [] : [/** @type {const} */ ([seat, spot])])))
  const { raced, third } = racedOf(drawn, spots, count)

  /** @type {(number | null | undefined)[]} the winner of each match of the level before; undefined: not known yet */
  let coming = seats
  const levels = /** @type {Level[]} */ ([])
  for (let level = 1; level <= count; level += 1) {
    const matches = /** @type {Match[]} */ ([])
    const next = /** @type {(number | null | undefined)[]} */ ([])
    for (let at = 0; at < coming.length / 2; at += 1) {
      const played = raced.get(`${level}/${at}`)
      const [one, other] = [coming[2 * at], coming[2 * at + 1]]
      const winner = played ? played.winner : walkover(tournament, one, other)
      matches.push(played ? matchOf(played.drawn, ordered(played.pair, spots), winner) : matchOf(null, [one, other], winner))
      next.push(winner)
    }
    levels.push({ name: levelName(level, count), matches })
    coming = next
  }
  return { levels, third: third && matchOf(third.drawn, third.pair, third.winner) }
}

/** @typedef {{drawn: [number, Round], pair: [number, number], winner: number | null | undefined}} Raced */

/**
 * The pairs by their place in the bracket, and the pair for third place.
 * @param {[number, Round][]} drawn @param {Map<number, number>} spots @param {number} levels
 */
function racedOf(drawn, spots, levels) {
  const raced = /** @type {Map<string, Raced>} */ (new Map())
  let third = /** @type {Raced | null} */ (null)
  for (const [i, one] of drawn.entries()) {
    const [, round] = one
    const small = thirdOf(round, spots, levels)
    for (const pair of round.pairs ?? []) {
      const level = levelOf(pair, spots)
      const found = { drawn: one, pair, winner: winnerOf(round, pair, drawn[i + 1]?.[1]) }
      if (pair === small) third = found
      else raced.set(`${level}/${(spots.get(pair[0]) ?? 0) >> level}`, found)
    }
  }
  return { raced, third }
}

/**
 * The pair of a round that races for third place, if any. If two pairs could only have met in the final, the first one is
 * the final. With a bye, there was no final to race.
 * @param {{pairs?: [number, number][], byes?: number[]}} round @param {Map<number, number>} spots @param {number} levels
 */
export function thirdOf({ pairs = [], byes = [] }, spots, levels) {
  const last = pairs.filter((pair) => levelOf(pair, spots) === levels)
  return last.length > 1 || byes.length ? last.at(-1) : undefined
}

/** The level at which two entrants meet. @param {[number, number]} pair @param {Map<number, number>} spots */
export const levelOf = ([one, other], spots) => 32 - Math.clz32((spots.get(one) ?? 0) ^ (spots.get(other) ?? 0))

/**
 * The winner of a pair, from the draw of the next round, or from the results. null: neither started. undefined: not known yet.
 * @param {Round} round @param {[number, number]} pair @param {Round | undefined} next
 */
function winnerOf({ results = {}, state }, pair, next) {
  const alive = next && pair.filter((seat) => next.byes?.includes(seat) || next.pairs?.some((one) => one.includes(seat)))
  if (alive?.length === 1) return alive[0]
  const first = pair.filter((seat) => results[seat]?.[0] === 1)
  const nobody = !first.length && isDecided(state)
  return first.length === 1 ? first[0] : nobody ? null : undefined
}

/** The pair with the upper entrant first. @param {[number, number]} pair @param {Map<number, number>} spots @returns {[number, number]} */
const ordered = ([one, other], spots) => ((spots.get(one) ?? 0) < (spots.get(other) ?? 0) ? [one, other] : [other, one])

/**
 * The entrant that advances without a race, if any.
 * @param {Tournament} tournament
 * @param {number | null | undefined} one @param {number | null | undefined} other null: no entrant; undefined: not known yet
 */
function walkover({ entrants = {} }, one, other) {
  if (one === null || other === null) return one === null ? other : one
  if (one === undefined || other === undefined) return undefined
  const here = [one, other].filter((seat) => entrants[seat]?.state === 'in')
  return here.length === 1 ? here[0] : undefined
}

/**
 * A large bracket in parts, each from one level on and with a limited number of matches. The winner of a part meets the winner of
 * the next part.
 * @param {Level[]} levels @param {number} first the first level of the parts, from 0
 * @param {number} most matches of that level in a part @param {number} [deep] leave out the levels after this one
 * @returns {Level[][]}
 */
export function partsOf(levels, first, most, deep = Infinity) {
  const shown = levels.slice(first, first + deep)
  const count = Math.max(1, Math.ceil((shown[0]?.matches.length ?? 0) / most))
  return Array.from({ length: count }, (_, part) =>
    shown
      .filter(({ matches }) => matches.length >= count)
      .map(({ name, matches }) => {
        const length = matches.length / count
        return { name, matches: matches.slice(part * length, (part + 1) * length) }
      }),
  )
}

/** The level of the current or last round, from 0. @param {Level[]} levels */
export const levelNow = (levels) =>
  Math.max(0, levels.map(({ matches }) => matches.some(({ round }) => round > 0)).lastIndexOf(true))
