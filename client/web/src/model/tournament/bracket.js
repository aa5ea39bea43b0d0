/** The brackets of a knock-out or a double elimination, as the server shows them, and the place of an entrant in them. Pure. */

/** @import { Brackets, BracketMatch, Tournament } from '../../protocol/protocol.d.ts' */
/** @import { RoundName } from './rounds.js' */

/**
 * @typedef {object} Side
 * @property {number | null} seat null: not known yet, or no entrant
 * @property {boolean} empty no entrant: the opponent advances
 * @property {boolean} won
 * @typedef {{round: number, sides: [Side, Side], isOn: boolean}} Match round: 0: not drawn; isOn: drawn or being raced
 * @typedef {{name: RoundName, matches: Match[]}} Level
 */

/**
 * The levels of each bracket, and the match for third place. The losers' bracket of a knock-out is empty.
 * @param {Tournament} tournament @returns {{winners: Level[], losers: Level[], third: Match | null} | null} null before the first draw
 */
export function bracketsOf({ brackets, rounds = {} }) {
  if (!brackets) return null
  /** @param {number | null} seat @param {number | null} winner @returns {Side} */
  const sideOf = (seat, winner) => ({ seat: seat || null, empty: seat === null, won: Boolean(seat) && seat === winner })
  /** @param {BracketMatch} match @returns {Match} */
  const matchOf = ([round, one, other, winner]) => {
    const isOn = rounds[round]?.state === 'drawn' || rounds[round]?.state === 'racing'
    return { round, isOn, sides: [sideOf(one, winner), sideOf(other, winner)] }
  }
  /** @param {Brackets['winners']} levels @returns {Level[]} */
  const levelsOf = (levels) =>
    Object.values(levels).map(({ stage: [stage, number], matches }) => ({
      name: { stage, number },
      matches: matches.map(matchOf),
    }))
  const { winners, losers, third } = brackets
  return { winners: levelsOf(winners), losers: levelsOf(losers), third: third ? matchOf(third) : null }
}

/**
 * The place of an entrant of a double elimination: winners' bracket, losers' bracket, or out.
 * @param {Tournament} tournament @param {number} seat @returns {'up' | 'low' | 'out' | null} null: nothing is drawn
 */
export function bracketWith({ plan, brackets, round, rounds = {} }, seat) {
  const { pairs = [], byes = [], lost = [], stage } = rounds[round] ?? {}
  if (!brackets) return null
  if (![...pairs.flat(), ...byes].includes(seat)) return 'out'
  const now = lost.includes(seat) ? 'low' : 'up'
  const levels = [brackets.winners, brackets.losers].flatMap(Object.values)
  const match = levels
    .flatMap(({ matches }) => matches)
    .find(([number, ...sides]) => number === round && sides.slice(0, 2).includes(seat))
  const winner = match ? match[3] : 0
  if (winner === 0 || winner === seat) return now
  const isLastLoss = now === 'low' || winner === null || (stage && !plan.second_final)
  return isLastLoss ? 'out' : 'low'
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
