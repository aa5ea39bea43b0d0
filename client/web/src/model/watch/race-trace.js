/** The known cards home of each racer over time, for a growing chart. The size is limited even for a long race. */

/** @import { Points } from '../replay/chart-lines.js' */
/** @import { Lane } from '../race/room-view.js' */

/** The number of points to keep for each racer; there can be hundreds of racers. */
export const MOST_POINTS = 160
/** The most lines to draw; more could not be distinguished. */
export const MOST_LINES = 8

/** A line may begin this late, in ms, without a notice: no racer has a card home by then. */
const SOON = 5000

/** The lengths of the axis, in ms: it only changes in these steps, so it is still most of the time. */
const LENGTHS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120].map((minutes) => minutes * 60_000)
/** The steps after the last of these lengths, in ms. */
const LONG_STEP = 600_000

/** @param {number} ms @returns {number} */
export const lengthFor = (ms) => LENGTHS.find((length) => length > ms) ?? Math.ceil((ms + 1) / LONG_STEP) * LONG_STEP

/** @param {number} dealt how many cards are home when the race begins */
export function createTrace(dealt) {
  /** @type {Map<number, [number, number][]>} */
  const lines = new Map()

  /** @param {number} seat @param {[number, number][]} points */
  function keep(seat, points) {
    const isLong = points.length > MOST_POINTS
    // Of a long line every other point is kept, always with the first and the last.
    lines.set(seat, isLong ? points.filter((_, i) => i % 2 === 0 || i === points.length - 1) : points)
  }

  return {
    /** @param {number} seat @param {number} ms since the start @param {number} home cards home then */
    note(seat, ms, home) {
      const points = lines.get(seat) ?? []
      if (points.at(-1)?.[1] === home) return
      // A racer without a card home never had one there, or undid it, so the line misses nothing.
      if (!points.length) keep(seat, home === dealt ? [[0, home]] : [[ms, home]])
      else keep(seat, [...points, [Math.max(ms, points[points.length - 1][0]), home]])
    },

    /** Adds the server's earlier points. @param {readonly [seat: number, points: readonly [number, number][]][]} rows */
    recall(rows) {
      for (const [seat, earlier] of rows) {
        const last = earlier.at(-1)
        if (!last) continue
        const since = (lines.get(seat) ?? []).filter(([ms, home]) => ms > last[0] && home !== last[1])
        keep(seat, [[0, dealt], ...earlier.map(([ms, home]) => /** @type {[number, number]} */ ([ms, home])), ...since])
      }
    },

    /** @param {number} seat @returns {Points} */
    of: (seat) => lines.get(seat) ?? [[0, dealt]],
  }
}

/** Whether the start of a line is missing because the client joined late. @param {Points} points */
export const beginsLate = (points) => points[0][0] > SOON

/** The leaders and the chosen racer. @param {readonly Lane[]} lanes in the order of the race @param {number} chosen 0: none */
export function drawnLanes(lanes, chosen) {
  const leaders = lanes.slice(0, MOST_LINES)
  const other = lanes.find(({ seat }) => seat === chosen)
  return !other || leaders.includes(other) ? leaders : [...leaders.slice(0, -1), other]
}

/**
 * A style for each line, which stays the same while the line is drawn.
 * @param {ReadonlyMap<number, number>} before by seat @param {readonly number[]} seats at most `MOST_LINES`
 * @returns {Map<number, number>}
 */
export function looksOf(before, seats) {
  const kept = new Map(seats.flatMap((seat) => (before.has(seat) ? [[seat, before.get(seat) ?? 0]] : [])))
  const used = new Set(kept.values())
  const free = Array.from({ length: MOST_LINES }, (_, i) => i).filter((look) => !used.has(look))
  for (const seat of seats) if (!kept.has(seat)) kept.set(seat, free.shift() ?? 0)
  return kept
}

/**
 * The heights of labels: as near to the wanted heights as possible without overlaps.
 * @param {readonly number[]} wanted @param {number} apart @param {number} top @param {number} bottom
 * @returns {number[]}
 */
export function labelPlaces(wanted, apart, top, bottom) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b)
  const places = [...wanted]
  let least = top
  for (const i of order) {
    places[i] = Math.max(wanted[i], least)
    least = places[i] + apart
  }
  let most = bottom
  for (const i of order.reverse()) {
    places[i] = Math.min(places[i], most)
    most = places[i] - apart
  }
  return places
}
