/**
 * The layout of the table, computed only from the game and the size of the box. No page scrolls during a race, so the cards
 * get the largest size that fits.
 *
 * There are three arrangements. `top`: stock, waste and foundations in a row above the columns. `low`: the same, but stock and
 * waste in a corner below the columns, near the thumb of a player with an upright phone or tablet. `side`: all of them in a
 * panel beside the columns, so that the columns get the whole height. Phones in landscape need that.
 */

/** @import { Game } from '../rules/games.js' */

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * @typedef {object} Layout
 * @property {boolean} side
 * @property {number} w of a card. @property {number} h of a card. @property {number} pipSize of a card's large pip.
 * @property {number} strip the height in which a covered card still shows its rank and suit.
 * @property {number} pip the top of a card's large pip, from the card's top.
 * @property {Box[]} columns the places of their bottom cards.
 * @property {number} floor the lower limit of the columns.
 * @property {Box} stock @property {Box} waste the place of its top card.
 * @property {{x: number, y: number, shown: number}} fan the distance between cards of the waste, and how many are shown.
 * @property {Box[]} homes the eight foundations, two for each suit.
 * @property {Box[]} areas the touch area of each pile: foundations C S H D, waste, stock, column 1 and so on
 */

const WIDEST = 140 // larger cards look like posters
const NARROWEST = 18
/** A column with up to this many face-up cards shows their whole strips. Longer columns are squeezed. */
const COMFORT = 11
/** A box that is higher than wide and at most this wide is an upright device: iPads are up to 1024 px wide. */
const TABLET = 1024
const LONG = 13 // most columns stay shorter than this, so that they need no squeezing when they grow

/**
 * @param {Game} game @param {number} width @param {number} height
 * @param {boolean} mirror for the left hand: the stock on the left
 * @returns {Layout}
 */
export function layoutOf(game, width, height, mirror) {
  const low = width <= TABLET && height > width
  const below = (/** @type {number} */ w) => (low ? sizesOf(w).h + sizesOf(w).rowGap : 0)
  const top = largest((w) => fitsTop(game, width, height - below(w), w))
  const side = largest((w) => fitsSide(game, width, height, w))
  // The panel is less familiar, so it must offer clearly larger cards.
  return side > top * 1.12
    ? besideColumns(game, width, height, side, mirror)
    : aboveColumns(game, width, height, top, mirror, low)
}

/**
 * How a column of `count` cards lies, `down` of them face down.
 * @param {Layout} layout @param {number} count @param {number} down
 * @returns {{tops: number[], squeeze: number}} the distance of each card from the column's top, and how much of its strip
 *   a covered card still shows, at most 1
 */
export function fanOf(layout, count, down) {
  const room = layout.floor - layout.columns[0].y - layout.h
  const covered = Math.max(0, count - 1)
  const backs = Math.min(down, covered)
  const faces = covered - backs
  let back = Math.max(4, Math.round(layout.h * 0.1))
  // In a tall box, cards are further apart and easier to touch. But a pip must not show above the next card.
  const wide = Math.max(layout.strip * 1.15, Math.min(layout.pip, room / LONG))
  let face = Math.floor(wide)
  if (backs * back + faces * face > room) {
    back = Math.min(back, Math.max(3, Math.round(layout.h * 0.05)))
    face = Math.max(3, Math.min(face, (room - backs * back) / Math.max(1, faces)))
  }
  const tops = Array.from({ length: count }, (_, i) => Math.round(Math.min(i, backs) * back + Math.max(0, i - backs) * face))
  return { tops, squeeze: Math.min(1, face / layout.strip) }
}

/** The sizes that follow from the width of a card. @param {number} w */
function sizesOf(w) {
  // Narrow cards are taller, because a narrow box always has room for that.
  const h = Math.round(w * (w < 44 ? 1.5 : 1.4))
  const strip = Math.round(Math.max(w * 0.32, 10 + w * 0.22)) // for rank and suit side by side
  const pipSize = Math.round(w * 0.62)
  // With thirteen columns on a phone there is no gap: only the rims separate the cards.
  const gap = w < 30 ? 0 : w < 60 ? 2 : Math.round(w * 0.08)
  return {
    ...{ w, h, strip, pipSize, gap },
    // A little below the middle of the space under the strip.
    pip: Math.floor(strip + (h - strip - pipSize) * 0.58),
    margin: w < 30 ? 0.5 : w < 60 ? 3 : Math.round(w * 0.12),
    rowGap: Math.max(6, Math.round(w * 0.16)),
    panelGap: Math.round(w * 0.15),
    /** The height of a comfortable column. */
    comfort: h + (COMFORT - 1) * strip,
    /** The width of the panel beside the columns. */
    panel: 2 * w + gap,
  }
}

/** @param {Game} game @param {number} width @param {number} height @param {number} w */
function fitsTop({ columns }, width, height, w) {
  const { h, gap, margin, rowGap, comfort } = sizesOf(w)
  return columns * (w + gap) - gap + 2 * margin <= width && h + comfort + 1.5 * rowGap + 2 * margin <= height
}

/** @param {Game} game @param {number} width @param {number} height @param {number} w */
function fitsSide({ columns, draw }, width, height, w) {
  const { h, strip, gap, margin, rowGap, panelGap, comfort, panel } = sizesOf(w)
  const across = columns * (w + gap) - gap + panel + 4 * margin + panelGap
  return across <= width && Math.max(comfort, h * 2 + strip * (2 + draw) + rowGap) + 2 * margin <= height
}

/** @param {(w: number) => boolean} fits */
function largest(fits) {
  let w = WIDEST
  while (w > NARROWEST && !fits(w)) w -= 1
  return w
}

/**
 * @param {Game} game @param {number} width @param {number} height @param {number} w @param {boolean} mirror
 * @param {boolean} low stock and waste below the columns
 * @returns {Layout}
 */
function aboveColumns(game, width, height, w, mirror, low) {
  const n = game.columns
  const { h, strip, pip, pipSize, gap, margin: m, rowGap } = sizesOf(w)
  const { at, pitch } = spread(m, width - 2 * m, w, n)
  const y = Math.round(m + rowGap / 2)
  const shown = game.draw > 1 ? 3 : 1
  const fan = { x: shown > 1 ? Math.round(Math.min(w * 0.8, strip * 1.5)) : 0, y: 0, shown }
  const fanned = fan.x * (shown - 1)
  const bottom = height - m - h
  /** A place in the row, counted from the hand's side. @param {number} from */
  const place = (from) => ({ x: snap(mirror ? at(0) + from : at(n - 1) - from), y: low ? bottom : y, w, h })
  const stock = place(0)
  // The top card has the same place for any number of fanned cards.
  const waste = place(pitch + (mirror ? fanned : 0))
  const taken = low ? 0 : pitch + w + fanned
  const left = at(n - 1) + w - at(0) - taken
  const homes = homesInRow(at(0), left, w, gap, n, pitch, mirror).map((x) => ({ x: snap(x), y, w, h }))
  const columnTop = y + h + rowGap
  const columns = Array.from({ length: n }, (_, i) => ({ x: snap(at(i)), y: columnTop, w, h }))
  const rowEnd = y + h + rowGap / 2
  const columnsEnd = low ? bottom - rowGap / 2 : height
  const area = (/** @type {number} */ from, /** @type {number} */ to) => ({ x: from, y: 0, w: to - from, h: rowEnd })
  /** Of the stock or the waste. @param {number} from @param {number} to */
  const turningArea = (from, to) => (low ? { x: from, y: columnsEnd, w: to - from, h: height - columnsEnd } : area(from, to))
  const areas = [
    ...[0, 1, 2, 3].map((suit) => area(homes[suit * 2].x - 2, homes[suit * 2 + 1].x + w + 2)),
    turningArea(waste.x - fanned - 2, waste.x + w + 2),
    turningArea(stock.x - 2, stock.x + w + 2),
    ...columnAreas(columns, pitch, rowEnd, columnsEnd),
  ]
  const floor = low ? bottom - rowGap : height - m
  return { side: false, w, h, strip, pip, pipSize, columns, floor, stock, waste, fan, homes, areas }
}

/**
 * Eight foundations above eight columns if there is room, otherwise four pairs. In a pair, the second foundation covers as much
 * of the first as it must.
 * @param {number} start @param {number} left the room beside stock and waste @param {number} w @param {number} gap @param {number} n
 * @param {number} pitch @param {boolean} mirror
 */
function homesInRow(start, left, w, gap, n, pitch, mirror) {
  const right = start + (n - 1) * pitch + w
  // A gap before the waste, which would otherwise look like a ninth foundation.
  const air = w * 0.25
  if (left >= 8 * pitch + air)
    return Array.from({ length: 8 }, (_, i) => (mirror ? right - w - (7 - i) * pitch : start + i * pitch))
  const apart = Math.max(4, w * 0.16)
  const second = Math.min(w + gap, (left - air) / 4 - apart - w)
  const pair = w + second + apart
  const first = mirror ? right - 4 * pair + apart : start
  return Array.from({ length: 8 }, (_, i) => first + (i >> 1) * pair + (i & 1) * second)
}

/** @param {Game} game @param {number} width @param {number} height @param {number} w @param {boolean} mirror @returns {Layout} */
function besideColumns(game, width, height, w, mirror) {
  const n = game.columns
  const { h, strip, pip, pipSize, gap, margin: m, rowGap, panelGap, panel } = sizesOf(w)
  const across = width - 4 * m - panelGap - panel
  const { at, pitch } = spread(mirror ? 3 * m + panelGap + panel : m, across, w, n)
  const y = m + Math.round(rowGap / 3)
  const inner = mirror ? 2 * m : width - 2 * m - panel
  const outer = inner + w + gap
  const low = height - m - h
  const shown = game.draw > 1 ? 3 : 1
  const fan = { x: 0, y: shown > 1 ? strip : 0, shown }
  // Players use the stock most, so it is in the corner under the thumb.
  const stock = { x: snap(mirror ? inner : outer), y: low, w, h }
  const waste = { x: snap(mirror ? outer : inner), y: low, w, h }
  const wasteFrom = low - fan.y * (shown - 1)
  const step = Math.min(h + gap, (wasteFrom - rowGap - h - y) / 3)
  const homes = Array.from({ length: 8 }, (_, i) => ({ x: snap(i & 1 ? outer : inner), y: snap(y + (i >> 1) * step), w, h }))
  const columns = Array.from({ length: n }, (_, i) => ({ x: snap(at(i)), y, w, h }))
  const middle = wasteFrom - rowGap / 2
  const areas = [
    ...[0, 1, 2, 3].map((row) => {
      const from = row ? homes[row * 2].y : 0
      return { x: inner - m, y: from, w: panel + 2 * m, h: (row < 3 ? homes[row * 2 + 2].y : middle) - from }
    }),
    { x: waste.x - (mirror ? 0 : m), y: middle, w: w + m, h: height - middle },
    { x: stock.x - (mirror ? m : 0), y: middle, w: w + m, h: height - middle },
    ...columnAreas(columns, pitch, 0, height),
  ]
  return { side: true, w, h, strip, pip, pipSize, columns, floor: height - m, stock, waste, fan, homes, areas }
}

/** A column's touch area reaches down to `to`. @param {Box[]} columns @param {number} pitch @param {number} from @param {number} to */
const columnAreas = (columns, pitch, from, to) =>
  columns.map(({ x, w }) => ({ x: x - (pitch - w) / 2, y: from, w: pitch, h: to - from }))

/** Columns across a width, a little apart. @param {number} start @param {number} width @param {number} w @param {number} n */
function spread(start, width, w, n) {
  const pitch = Math.min((width - w) / (n - 1), w * 1.22)
  const from = start + (width - (n - 1) * pitch - w) / 2
  return { pitch, at: (/** @type {number} */ i) => from + i * pitch }
}

/** Whole pixels keep the cards crisp. @param {number} x */
const snap = (x) => Math.round(x)
