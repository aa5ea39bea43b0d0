/** The cards home of all racers over a race: as lines to draw and as rows to read. */

/** @import { Axis } from './timeline.js' */
/** @import { Line } from './racer-line.js' */

/** Round steps of an axis: in ms, and in cards. */
const STEPS = {
  time: [5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000, 1_800_000, 3_600_000],
  stock: [1, 2, 5, 10, 20, 50, 100],
}

/** The labelled positions of an axis, 0 first. @param {Pick<Axis, 'key' | 'length'>} axis @param {number} most */
export function ticksOf({ key, length }, most) {
  const steps = STEPS[key]
  const step = steps.find((one) => length / one <= most) ?? steps[steps.length - 1]
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => i * step)
}

/** @typedef {readonly [position: number, home: number][]} Points the changes of the number of cards home, and the end */

/** The rounding error between two ways to compute a position. */
const LOST = 1e-9

/** @param {Axis} axis @param {Line} line @returns {Points} */
export function pointsOf(axis, line) {
  /** @type {[number, number][]} */
  const points = [[0, line.home[0]]]
  for (let n = 1; n <= line.length; n += 1) {
    if (line.home[n] !== line.home[n - 1]) points.push([axis.place(line, n), line.home[n]])
  }
  const [last, home] = points[points.length - 1]
  const end = axis.key === 'time' ? line.ended : axis.place(line, line.length)
  points.push([Math.max(end, last), home])
  return points
}

/**
 * The end of a line that is drawn up to a position.
 * @param {Points} points @param {number} until
 * @returns {{at: number, home: number, most: number}} the position reached, the cards home there, and the most so far
 */
export function standAt(points, until) {
  let [at, home] = points[0]
  let most = home
  for (const [position, cards] of points) {
    if (position > until + LOST) return { at: until, home, most }
    at = position
    home = cards
    most = Math.max(most, cards)
  }
  return { at, home, most }
}

/** The points of the lines on an axis, computed once for each line. @param {Axis} axis @returns {(line: Line) => Points} */
export function rememberedPoints(axis) {
  /** @type {Map<Line, Points>} */
  const known = new Map()
  return (line) => {
    const points = known.get(line) ?? pointsOf(axis, line)
    known.set(line, points)
    return points
  }
}

/** A line of steps. @param {Points} points @param {(position: number) => number} x @param {(home: number) => number} y */
export function pathOf(points, x, y) {
  const round = (/** @type {number} */ number) => Math.round(number * 10) / 10
  return points
    .map(([position, home], i) => (i ? `H${round(x(position))}V${round(y(home))}` : `M${round(x(position))} ${round(y(home))}`))
    .join('')
}

/** Each is divisible by four. */
const TOPS = [8, 12, 16, 20, 28, 40, 52, 68, 80, 104]

/** The top of the chart, a little above the most cards that any racer brought home. @param {number} most */
export const topOf = (most) => TOPS.find((top) => top >= most * 1.1) ?? 104

/**
 * The chart in numbers, up to a position.
 * @param {Axis} axis @param {readonly Line[]} lines @param {number} until @param {number} [most] rows, about
 * @returns {{position: number, homes: number[]}[]}
 */
export function rowsOf(axis, lines, until, most = 12) {
  const positions = ticksOf(axis, most).filter((position) => position < until)
  return [...positions, until].map((position) => ({
    position,
    homes: lines.map((line) => line.home[axis.count(line, position)]),
  }))
}
