/** The selected board of the stage, and how keys, taps and the tour change it. */
import { meaningOf } from '../model/key-meaning.js'

/**
 * @typedef {object} Choice
 * @property {number} seat of the board; that player may have left
 * @property {boolean} alone a single large board
 * @property {boolean} tour changes the board automatically
 * @property {boolean} paused the tour waits
 * @property {boolean} follows the board is that of the leader, until another one is chosen
 * @typedef {{do: 'choose' | 'mark', seat: number} | {do: 'step', by: 1 | -1}
 *   | {do: 'next', to?: number} | {do: 'all' | 'alone' | 'tour' | 'pause' | 'follow'}} Act
 */

/** @type {Choice} */
export const BEGINNING = { seat: 0, alone: false, tour: false, paused: false, follows: true }

export const STAYS = [5, 10, 20, 30] // seconds that a tour shows each board

/** @param {Choice} choice @param {readonly number[]} seats @returns {number} 0: no board */
export const chosenOf = ({ seat }, seats) => (seats.includes(seat) ? seat : (seats[0] ?? 0))

/** The seat at that distance, cyclically. @param {readonly number[]} seats @param {number} from @param {number} by */
function stepped(seats, from, by) {
  const at = Math.max(0, seats.indexOf(from))
  return seats[(at + by + seats.length) % seats.length] ?? 0
}

/**
 * @param {Choice} choice @param {readonly number[]} seats all boards in order
 * @param {Act} act @param {readonly number[]} [worth] the boards of the tour
 * @returns {Choice}
 */
export function after(choice, seats, act, worth = seats) {
  if (act.do === 'follow') return { ...choice, tour: false, paused: false, follows: true }
  const keeps = act.do === 'all' || act.do === 'alone' || act.do === 'pause'
  return { ...afterOther(choice, seats, act, worth), follows: choice.follows && keeps }
}

/** @param {Choice} choice @param {readonly number[]} seats @param {Act} act @param {readonly number[]} worth @returns {Choice} */
function afterOther(choice, seats, act, worth) {
  const seat = chosenOf(choice, seats)
  const paused = choice.tour || choice.paused
  // A second click on the same board shows all boards.
  const isSecond = act.do === 'choose' && choice.alone && act.seat === seat
  if (act.do === 'all' || isSecond) return { ...choice, seat, alone: false, tour: false }
  if (act.do === 'choose' || act.do === 'mark')
    return { ...choice, seat: act.seat, alone: choice.alone || act.do === 'choose', paused }
  if (act.do === 'step') return { ...choice, seat: stepped(seats, seat, act.by), paused }
  if (act.do === 'alone') return { ...choice, seat, alone: true }
  if (act.do === 'tour') return { ...choice, seat, alone: true, tour: !choice.tour, paused: false }
  if (act.do === 'pause') return { ...choice, paused: choice.tour && !choice.paused }
  const to = 'to' in act ? (act.to ?? 0) : 0
  if (to !== seat && seats.includes(to)) return { ...choice, seat: to }
  const round = worth.length ? seats.filter((one) => worth.includes(one)) : seats
  const later = round.find((one) => seats.indexOf(one) > seats.indexOf(seat))
  return { ...choice, seat: later ?? round[0] ?? 0 }
}

/** @type {Readonly<Record<string, Act>>} */
const KEYS = {
  arrowleft: { do: 'step', by: -1 },
  arrowup: { do: 'step', by: -1 },
  arrowright: { do: 'step', by: 1 },
  arrowdown: { do: 'step', by: 1 },
  enter: { do: 'alone' },
  0: { do: 'all' },
  g: { do: 'all' },
  escape: { do: 'all' },
}

/**
 * The action of a key.
 * @param {Pick<KeyboardEvent, 'key' | 'code'>} event @param {readonly number[]} page the boards with a number
 * @param {{before: number, after: number}} [turns] the first boards of the pages before and after; 0: none
 * @returns {Act | null}
 */
export function actOf(event, page, turns = { before: 0, after: 0 }) {
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)
  const turned = { PageUp: turns.before, PageDown: turns.after }[event.key]
  const seat = digit ? page[Number(digit[1]) - 1] : turned
  if (digit || turned !== undefined) return seat ? { do: digit ? 'choose' : 'mark', seat } : null
  return meaningOf(KEYS, event) ?? null
}
