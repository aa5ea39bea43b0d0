/** The options of an overlay for streams. They are in its URL, because it has no controls (README.md, "Streams"). */
import { leaderOf, peopleOf } from '../race/room-view.js'

/**
 * @import { View } from '../../protocol/protocol.d.ts'
 * @import { Lane } from '../race/room-view.js'
 * @typedef {object} Overlay
 * @property {number} lanes the most lanes to show
 * @property {'leader' | number | null} board shown instead of lanes: the leader's, or the board of a seat
 * @property {number} width px
 * @property {number} scale of all text
 */

/** The minimum, the maximum, and the default for a missing or invalid value. */
const LANES = [1, 20, 6]
const WIDTH = [200, 3840, 420]
const BOARD_WIDTH = [200, 3840, 960]
const SCALE = [0.5, 4, 1]

/** How long a leader's board stays, in ms, so that it does not flicker when two racers pass each other. */
export const STAYS = 8000

/** @param {string | null} text @param {number[]} range */
function within(text, [least, most, otherwise]) {
  const number = Number.parseFloat(text ?? '')
  return Number.isNaN(number) ? otherwise : Math.max(least, Math.min(most, number))
}

/** @param {string} search the query of the URL @returns {Overlay} */
export function overlayOf(search) {
  const options = new URLSearchParams(search)
  const wanted = options.get('board')
  const seat = Number.parseInt(wanted ?? '', 10)
  const board = wanted === 'leader' ? 'leader' : seat > 0 ? seat : null
  return {
    lanes: Math.round(within(options.get('lanes'), LANES)),
    board,
    width: Math.round(within(options.get('width'), board ? BOARD_WIDTH : WIDTH)),
    scale: within(options.get('scale'), SCALE),
  }
}

/** The lanes before the start, so that a stream can be set up early. @param {View} view @returns {Lane[]} */
export function lanesToCome(view) {
  if (view.tournament) return [] // a drawn round has its own list of racers
  const state = /** @type {const} */ ('racing')
  const nothing = { home: 0, moves: 0, stock: null, ms: null, place: null, awayAt: null, gaveUpAt: null }
  return peopleOf(view)
    .filter(([, { here, bot }]) => here || bot)
    .map(([seat, { name, bot }]) => ({ seat, name, bot, state, ...nothing }))
}

/**
 * The seat of the next board to show.
 * @param {Overlay['board']} wanted @param {Lane[]} lanes in the order of the race
 * @param {{seat: number, since: number}} shown and its start time @param {number} now @returns {number} 0: none
 */
export function seatShown(wanted, lanes, shown, now) {
  if (wanted !== 'leader') return lanes.some(({ seat }) => seat === wanted) ? Number(wanted) : 0
  if (shown.seat && now - shown.since < STAYS) return shown.seat
  return leaderOf(lanes) || shown.seat || (lanes[0]?.seat ?? 0)
}
