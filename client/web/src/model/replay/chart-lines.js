/** Cards home over the race, for all racers: as lines to draw and as rows to read. */

/** @typedef {import('./axis.js').Axis} Axis */
/** @typedef {import('./racer-line.js').Line} Line */

/** Steps that people count in: ms, and cards. */
const STEPS = {
  time: [5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000, 1_800_000, 3_600_000],
  stock: [1, 2, 5, 10, 20, 50, 100],
}

/**
 * The places along an axis that are written at it, 0 first.
 *
 * @param {Axis} axis @param {number} most
 */
export function ticksOf({ key, length }, most) {
  const steps = STEPS[key]
  const step = steps.find((one) => length / one <= most) ?? steps[steps.length - 1]
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => i * step)
}

/**
 * Where the number of cards home changes, up to a position.
 *
 * @param {Axis} axis @param {Line} line @param {number} until
 * @returns {[position: number, home: number][]}
 */
export function pointsOf(axis, line, until) {
  const count = axis.count(line, until)
  /** @type {[number, number][]} */
  const points = [[0, line.home[0]]]
  for (let n = 1; n <= count; n += 1) {
    if (line.home[n] !== line.home[n - 1]) points.push([axis.place(line, n), line.home[n]])
  }
  const end = Math.min(until, axis.key === 'time' ? line.ended : axis.place(line, line.length))
  points.push([Math.max(end, points[points.length - 1][0]), line.home[count]])
  return points
}

/**
 * A line of steps.
 *
 * @param {readonly [position: number, home: number][]} points
 * @param {(position: number) => number} x @param {(home: number) => number} y
 */
export function pathOf(points, x, y) {
  const round = (/** @type {number} */ number) => Math.round(number * 10) / 10
  return points
    .map(([position, home], i) => (i ? `H${round(x(position))}V${round(y(home))}` : `M${round(x(position))} ${round(y(home))}`))
    .join('')
}

/** Each can be quartered. */
const TOPS = [8, 12, 16, 20, 28, 40, 52, 68, 80, 104]

/** What the chart goes up to: no race needs room for cards that nobody brought home. @param {number} most */
export const topOf = (most) => TOPS.find((top) => top >= most * 1.1) ?? 104

/**
 * The chart in numbers, up to a position.
 *
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
