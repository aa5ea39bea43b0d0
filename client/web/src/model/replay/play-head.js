/** The play head: the position of a replay, and its movement. */

/** @import { Axis } from './timeline.js' */
/** @import { Line } from './racer-line.js' */

export const SPEEDS = [0.5, 1, 2, 4, 8, 16]

/**
 * @typedef {object} Head
 * @property {'time' | 'stock'} along @property {number} position @property {boolean} playing @property {number} speed
 * @property {{time: number, stock: number}} seen the furthest positions so far; the page must not reveal later events
 * @typedef {{time: Axis, stock: Axis}} Axes
 */

/** @type {Head} */
export const AT_START = { along: 'time', position: 0, playing: false, speed: 1, seen: { time: 0, stock: 0 } }

/** @param {Head} head @param {Axes} axes @param {number} position @returns {Head} */
export function movedTo(head, axes, position) {
  const at = Math.max(0, Math.min(axes[head.along].length, position))
  const seen = { ...head.seen, [head.along]: Math.max(head.seen[head.along], at) }
  return { ...head, position: at, seen, playing: head.playing && at < axes[head.along].length }
}

/** The play head after `ms` of time. @param {Head} head @param {Axes} axes @param {number} ms @returns {Head} */
export const wentOn = (head, axes, ms) =>
  head.playing ? movedTo(head, axes, head.position + ms * head.speed * axes[head.along].pace) : head

/** Play or pause; from the end, play from the start. @param {Head} head @param {Axes} axes @returns {Head} */
export function toggled(head, axes) {
  if (head.playing) return { ...head, playing: false }
  const again = head.position >= axes[head.along].length
  return { ...head, playing: true, position: again ? 0 : head.position }
}

/** The next speed up or down. @param {Head} head @param {1 | -1} by @returns {Head} */
export function faster(head, by) {
  const at = SPEEDS.indexOf(head.speed)
  return { ...head, speed: SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))] }
}

/**
 * Switches to an axis, at the moment with the same state of one board.
 * @param {Head} head @param {Axes} axes @param {Line} line @param {Head['along']} along @returns {Head}
 */
export function switchedTo(head, axes, line, along) {
  if (along === head.along) return head
  const n = axes[head.along].count(line, head.position)
  return movedTo({ ...head, along }, axes, axes[along].place(line, n))
}

/** Whether all of the race has been seen. @param {Head} head @param {Axes} axes */
export const isEndSeen = ({ seen }, axes) =>
  seen.time >= axes.time.length || (axes.stock.length > 0 && seen.stock >= axes.stock.length)

// A moment of a replay, in the fragment of its link.

/**
 * @typedef {object} Moment
 * @property {'time' | 'stock'} along @property {number} position ms since the start, or cards of the stock
 * @property {number} seat of the large board; 0: the page shows all
 */

/** @param {string} hash @returns {Moment | null} */
export function momentOf(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const number = (/** @type {string} */ key) =>
    /^\d{1,7}(\.\d{1,3})?$/.test(parts.get(key) ?? '') ? Number(parts.get(key)) : null
  const [seconds, card] = [number('t'), number('card')]
  if (seconds === null && card === null) return null
  const seat = Math.floor(number('board') ?? 0)
  return card === null
    ? { along: 'time', position: Math.round((seconds ?? 0) * 1000), seat }
    : { along: 'stock', position: card, seat }
}

/** `#t=83.4`, or `#card=23&board=2`. @param {Moment} moment */
export function fragmentOf({ along, position, seat }) {
  // A tenth of a second is precise enough for a viewer. Rounding down would show the moment before.
  const at = along === 'time' ? `t=${Math.ceil(position / 100) / 10}` : `card=${Math.ceil(position * 100) / 100}`
  return `#${at}${seat ? `&board=${seat}` : ''}`
}
