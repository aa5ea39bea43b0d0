/** What an overlay for streams shows, which its address says: there is nothing to tap on it (README.md, "Streams"). */

import { leaderOf, peopleOf } from '../race/room-view.js'

/**
 * @import { View } from '../../protocol/protocol.d.ts'
 * @import { Lane } from '../race/room-view.js'
 */

/**
 * @typedef {object} Overlay
 * @property {number} lanes at most so many
 * @property {'leader' | number | null} board instead of lanes: the leader's, or that of a seat
 * @property {number} width px
 * @property {number} scale of everything that is written
 */

/** The least, the most, and what holds if the address says nothing or nonsense. */
const LANES = [1, 20, 6]
const WIDTH = [200, 3840, 420]
const BOARD_WIDTH = [200, 3840, 960]
const SCALE = [0.5, 4, 1]

/** A leader's board stays for so long, ms: two who pass each other would make it flicker. */
export const STAYS = 8000

/** @param {string | null} text @param {number[]} range */
function within(text, [least, most, otherwise]) {
  const number = Number.parseFloat(text ?? '')
  return Number.isNaN(number) ? otherwise : Math.max(least, Math.min(most, number))
}

/** @param {string} search what stands behind the `?` of the address @returns {Overlay} */
export function overlayOf(search) {
  const said = new URLSearchParams(search)
  const wanted = said.get('board')
  const seat = Number.parseInt(wanted ?? '', 10)
  const board = wanted === 'leader' ? 'leader' : seat > 0 ? seat : null
  return {
    lanes: Math.round(within(said.get('lanes'), LANES)),
    board,
    width: Math.round(within(said.get('width'), board ? BOARD_WIDTH : WIDTH)),
    scale: within(said.get('scale'), SCALE),
  }
}

/** Who will race, while nobody does: a stream can be set up before the start. @param {View} view @returns {Lane[]} */
export function lanesToCome(view) {
  if (view.tournament) return [] // a round says itself who races
  const still = {
    state: /** @type {const} */ ('racing'),
    home: 0,
    moves: 0,
    stock: null,
    ms: null,
    place: null,
    awayAt: null,
    gaveUpAt: null,
  }
  return peopleOf(view)
    .filter(([, { here, bot }]) => here || bot)
    .map(([seat, { name, bot }]) => ({ seat, name, bot, ...still }))
}

/**
 * Whose board is shown next.
 *
 * @param {Overlay['board']} wanted @param {Lane[]} lanes in the order of the race
 * @param {{seat: number, since: number}} shown and since when @param {number} now
 * @returns {number} 0: nobody's
 */
export function seatShown(wanted, lanes, shown, now) {
  if (wanted !== 'leader') return lanes.some(({ seat }) => seat === wanted) ? Number(wanted) : 0
  if (shown.seat && now - shown.since < STAYS) return shown.seat
  return leaderOf(lanes) || shown.seat || (lanes[0]?.seat ?? 0)
}
