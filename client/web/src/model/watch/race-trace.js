/** How many cards everybody had home when, as far as it was told, for a chart that grows. Bounded, however long it takes. */

/**
 * @import { Points } from '../replay/chart-lines.js'
 * @import { Lane } from '../race/room-view.js'
 */

/** Of each racer so many points are kept; there are hundreds of racers. */
export const MOST_POINTS = 160
/** More lines at once cannot be told apart. */
export const MOST_LINES = 8

/** So late, in ms, a line may begin without a word: nobody has a card home by then. */
const SOON = 5000

/** The axis is as long as one of these, ms, so that it does not move all the time. */
const LENGTHS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120].map((minutes) => minutes * 60_000)

/** @param {number} ms @returns {number} */
export const lengthFor = (ms) => LENGTHS.find((length) => length > ms) ?? Math.ceil((ms + 1) / LENGTHS[4]) * LENGTHS[4]

/**
 * Every other point, but the first and the last.
 *
 * @param {[number, number][]} points
 */
const thinned = (points) => points.filter((_, i) => i % 2 === 0 || i === points.length - 1)

/** @param {number} dealt how many cards are home when the race begins */
export function createTrace(dealt) {
  /** @type {Map<number, [number, number][]>} */
  const lines = new Map()

  /** @param {number} seat @param {[number, number][]} points */
  function keep(seat, points) {
    lines.set(seat, points.length > MOST_POINTS ? thinned(points) : points)
  }

  return {
    /** @param {number} seat @param {number} ms since the start @param {number} home as many cards are home then */
    note(seat, ms, home) {
      const points = lines.get(seat) ?? []
      if (points.at(-1)?.[1] === home) return
      // Who has not got a card home yet never had one home, or undid it: nothing is missing.
      if (!points.length) keep(seat, home === dealt ? [[0, home]] : [[ms, home]])
      else keep(seat, [...points, [Math.max(ms, points[points.length - 1][0]), home]])
    },

    /**
     * What the server tells of the time before one came; what was noted since stays.
     *
     * @param {readonly [seat: number, points: readonly [number, number][]][]} rows
     */
    recall(rows) {
      for (const [seat, told] of rows) {
        const last = told.at(-1)
        if (!last) continue
        const since = (lines.get(seat) ?? []).filter(([ms, home]) => ms > last[0] && home !== last[1])
        keep(seat, [[0, dealt], ...told.map(([ms, home]) => /** @type {[number, number]} */ ([ms, home])), ...since])
      }
    },

    /** @param {number} seat @returns {Points} */
    of: (seat) => lines.get(seat) ?? [[0, dealt]],
  }
}

/** Whether something of a line is missing, because one came later. @param {Points} points */
export const beginsLate = (points) => points[0][0] > SOON

/**
 * Whose lines are drawn: the leaders', and that of whom one has chosen.
 *
 * @param {readonly Lane[]} lanes in the order of the race @param {number} chosen 0: nobody
 */
export function drawnLanes(lanes, chosen) {
  const leaders = lanes.slice(0, MOST_LINES)
  const other = lanes.find(({ seat }) => seat === chosen)
  return !other || leaders.includes(other) ? leaders : [...leaders.slice(0, -1), other]
}

/**
 * A look for each line, which it keeps as long as it is drawn.
 *
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
 * Where labels stand that would like to stand at some heights: as near as they can without covering each other.
 *
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
