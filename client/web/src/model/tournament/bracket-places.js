/** The places in a bracket: with room for a power of two, the best two as far apart as possible. Pure. */

/** @import { Round } from '../../protocol/protocol.d.ts' */
/** @import { RoundName } from './rounds.js' */

/**
 * @typedef {object} Side
 * @property {number | null} seat null: not known yet
 * @property {boolean} empty no entrant: the opponent advances
 * @property {boolean} won
 * @typedef {object} Match
 * @property {number} round 0: not drawn
 * @property {[Side, Side]} sides @property {boolean} isOn drawn or being raced
 * @typedef {{name: RoundName, matches: Match[]}} Level
 */

/** The seed (from 1) at each place of a bracket of this size. @param {number} size */
export function placesOf(size) {
  let order = [1]
  while (order.length < size) {
    const sum = 2 * order.length + 1
    order = order.flatMap((seed) => [seed, sum - seed])
  }
  return order
}

/**
 * The seat at each place of the bracket. In the first round, pairs are in bracket order and byes in seed order.
 * @param {Round} first
 */
export function spotsOf({ pairs = [], byes = [] }) {
  const count = byes.length + 2 * pairs.length
  let size = 2
  while (size < count) size *= 2
  const places = placesOf(size)
  const seats = /** @type {(number | null)[]} */ ([])
  let pair = 0
  for (let spot = 0; spot < size; spot += 2) {
    const [one, other] = [places[spot], places[spot + 1]]
    if (Math.max(one, other) > count) {
      const seat = byes[Math.min(one, other) - 1] ?? null
      seats.push(one < other ? seat : null, one < other ? null : seat)
    } else {
      const [better, worse] = pairs[pair++] ?? [null, null]
      seats.push(one < other ? better : worse, one < other ? worse : better)
    }
  }
  return seats
}

/** @param {number | null | undefined} seat @param {number | null | undefined} winner @returns {Side} */
const sideOf = (seat, winner) => ({ seat: seat ?? null, empty: seat === null, won: seat != null && seat === winner })

/**
 * @param {[number, Round] | null} drawn null: not drawn @param {readonly (number | null | undefined)[]} pair
 * @param {number | null | undefined} winner @returns {Match}
 */
export const matchOf = (drawn, [one, other], winner) => ({
  round: drawn?.[0] ?? 0,
  isOn: drawn?.[1].state === 'drawn' || drawn?.[1].state === 'racing',
  sides: [sideOf(one, winner), sideOf(other, winner)],
})
