/**
 * The layout of the table, computed only from the game and the size of the box. No page scrolls during a race, so the cards
 * get the largest size that fits.
 *
 * There are three arrangements. `top`: stock, waste and foundations in a row above the columns. `low`: foundations below the
 * columns, and stock and waste below these, near the thumb of a player with an upright phone or tablet. No drag is longer than
 * half of the height. `side`: all of them in a panel beside the columns, so that the columns get the whole height. Phones in
 * landscape need that.
 */

/** @import { Game } from '../rules/games.js' */

/** @typedef {{x: number, y: number, w: number, h: number}} Box */
/** @typedef {{width: number, height: number}} Size */

/**
 * @typedef {object} Layout
 * @property {boolean} side
 * @property {number} w of a card. @property {number} h of a card. @property {number} pipSize of a card's large pip.
 * @property {number} strip the height in which a covered card still shows its rank and suit.
 * @property {number} pip the top of a card's large pip, from the card's top.
 * @property {number} open the largest strip of a covered card. A covered card shows its pip if that is not cut.
 * @property {Box[]} columns the places of their bottom cards.
 * @property {number} floor the lower limit of the columns.
 * @property {Box} stock @property {Box} waste the place of its top card.
 * @property {{x: number, y: number, shown: number}} fan the distance between cards of the waste, and how many are shown.
 * @property {Box[]} homes the eight foundations, two for each suit.
 * @property {Box[]} areas the touch area of each pile: foundations C S H D, waste, stock, column 1 and so on
 */

const NOTE_GAP = 8 // between a note and the pile that it speaks of, px
const EDGE = 12 // between the spread waste and the edge of the table, px
const WIDEST = 140 // larger cards look like posters
const NARROWEST = 18
/** A column with up to this many face-up cards shows their whole strips. Longer columns are squeezed. */
const COMFORT = 11
/** A box that is higher than wide and at most this wide is an upright device: iPads are up to 1024 px wide. */
const TABLET = 1024
const USUAL = 8 // columns up to this many cards need no squeezing on an upright device
const LONG = 13 // most columns stay shorter than this, so that they need no squeezing when they grow
/** Games with fewer columns get the width of this number: eight foundations and the waste need it, too. */
const LEAST = 9
/** The gap before the waste, which would otherwise look like a ninth foundation, and the one between pairs of foundations. */
const [AIR, APART] = [0.25, 0.1]
/** How much of a foundation the second one of its suit leaves free at least: its rank and suit. */
const LAP = 0.36
/** How many cards of the waste are fanned: as many as there is room for. */
const [FEWEST, MOST] = [5, 8]

/**
 * @param {Game} game @param {number} width @param {number} height
 * @param {boolean} mirror for the left hand: the stock on the left
 * @param {boolean} [watched] nobody plays here, so no pile has to be near a thumb
 * @returns {Layout}
 */
export function layoutOf(game, width, height, mirror, watched = false) {
  const low = !watched && width <= TABLET && height > width
  const below = (/** @type {number} */ w) => (low ? sizesOf(w).h + sizesOf(w).rowGap : 0)
  const top = largest((w) => fitsTop(game, width, height - below(w), w) && (low || watched || fitsRow(game, width, w)))
  const side = largest((w) => fitsSide(game, width, height, w))
  // The panel is less familiar, so it must offer clearly larger cards.
  const layout =
    side > top * 1.12 ? besideColumns(game, width, height, side, mirror) : aboveColumns(game, width, height, top, mirror, low)
  return { ...layout, areas: layout.areas.map((area) => within(area, width)) }
}

/** The part of a touch area inside the table, which would scroll otherwise. @param {Box} area @param {number} width */
function within({ x, w, ...rest }, width) {
  const from = Math.max(0, x)
  return { ...rest, x: from, w: Math.min(width, x + w) - from }
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
  // In a tall box, cards are further apart and easier to touch. On an upright phone, short columns grow to fill the height.
  const own = layout.open > layout.pip ? (room - backs * back) / Math.max(1, faces) : room / LONG
  let face = Math.floor(Math.max(layout.strip * 1.15, Math.min(layout.open, own)))
  if (backs * back + faces * face > room) {
    back = Math.min(back, Math.max(3, Math.round(layout.h * 0.05)))
    face = Math.max(3, Math.min(face, (room - backs * back) / Math.max(1, faces)))
  }
  const tops = Array.from({ length: count }, (_, i) => Math.round(Math.min(i, backs) * back + Math.max(0, i - backs) * face))
  return { tops, squeeze: Math.min(1, face / layout.strip) }
}

/**
 * The places of all cards of the waste when the player looks at them: in rows over the whole table, as far apart as they can be.
 * @param {Layout} layout @param {Size} size of the table @param {number} count
 * @returns {Omit<Box, 'w' | 'h'>[]}
 */
export function spreadOf({ w, h, strip }, { width, height }, count) {
  const [across, down] = [width - w - 2 * EDGE, height - h - 2 * EDGE]
  const most = 1 + Math.max(0, Math.floor(across / (strip * 1.6)))
  const rows = Math.ceil(count / most)
  const inRow = Math.ceil(count / rows)
  const step = Math.min(w + EDGE / 2, across / Math.max(1, inRow - 1))
  const rowStep = Math.min(h + EDGE, down / Math.max(1, rows - 1))
  const left = (width - w - step * (inRow - 1)) / 2
  const top = (height - h - rowStep * (rows - 1)) / 2
  return Array.from({ length: count }, (_, i) => ({
    x: snap(left + (i % inRow) * step),
    y: snap(top + Math.floor(i / inRow) * rowStep),
  }))
}

/**
 * A place for a note: below, above or beside the pile that it speaks of, or in a corner. It covers as little as possible of this
 * pile and of the cards that it speaks of.
 * @param {Size} note @param {Size} size of the table @param {Box} pile @param {Box[]} cards @returns {Box}
 */
export function placeOfNote({ width: w, height: h }, size, pile, cards) {
  const [x, y] = [pile.x + (pile.w - w) / 2, pile.y + (pile.h - h) / 2]
  const [right, low] = [size.width - w, size.height - h]
  const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(NOTE_GAP, Math.min(at, most - NOTE_GAP))
  const places = [
    [x, pile.y + pile.h + NOTE_GAP],
    [x, pile.y - h - NOTE_GAP],
    [pile.x + pile.w + NOTE_GAP, y],
    [pile.x - w - NOTE_GAP, y],
    ...[0, low].flatMap((y) => [0, right].map((x) => [x, y])),
  ].map(([x = 0, y = 0]) => ({ x: within(x, right), y: within(y, low), w, h }))
  const covered = places.map((place) => [pile, ...cards].reduce((sum, box) => sum + overlap(place, box), 0))
  return /** @type {Box} */ (places[covered.indexOf(Math.min(...covered))])
}

/** The area that two boxes share. @param {Box} a @param {Box} b */
export function overlap(a, b) {
  const x = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const y = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  return x > 0 && y > 0 ? x * y : 0
}

/** The sizes that follow from the width of a card. @param {number} w */
function sizesOf(w) {
  // Narrow cards are taller, because a narrow box always has room for that.
  const h = Math.round(w * (w < 36 ? 1.6 : w < 44 ? 1.5 : 1.4))
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
    /** The distance between fanned cards of the waste, so that rank and suit are seen. */
    fanStep: Math.round(Math.min(w * 0.8, strip * 1.3)),
    /** The width of the panel beside the columns. */
    panel: 2 * w + gap,
  }
}

/** @param {Game} game */
const widthOf = ({ columns }) => Math.max(LEAST, columns)

/** @param {Game} game @param {number} width @param {number} height @param {number} w */
function fitsTop(game, width, height, w) {
  const columns = widthOf(game)
  const { h, gap, margin, rowGap, comfort } = sizesOf(w)
  return columns * (w + gap) - gap + 2 * margin <= width && h + comfort + 1.5 * rowGap + 2 * margin <= height
}

/** Whether the row has room for pairs of foundations, the stock and a fan. @param {Game} game @param {number} width @param {number} w */
function fitsRow(game, width, w) {
  const columns = widthOf(game)
  const { margin, fanStep } = sizesOf(w)
  const { pitch } = spread(margin, width - 2 * margin, w, columns)
  return 4 * w * (1 + LAP + APART) + w * AIR + pitch + w + (FEWEST - 1) * fanStep <= (columns - 1) * pitch + w
}

/** @param {Game} game @param {number} width @param {number} height @param {number} w */
function fitsSide(game, width, height, w) {
  const columns = widthOf(game)
  const { h, strip, gap, margin, rowGap, panelGap, comfort, panel } = sizesOf(w)
  const across = columns * (w + gap) - gap + panel + 4 * margin + panelGap
  return across <= width && Math.max(comfort, h * 2 + strip * (2 + game.draw) + rowGap) + 2 * margin <= height
}

/** @param {(w: number) => boolean} fits */
function largest(fits) {
  let w = WIDEST
  while (w > NARROWEST && !fits(w)) w -= 0.5
  return w
}

/**
 * @param {Game} game @param {number} width @param {number} height @param {number} w @param {boolean} mirror
 * @param {boolean} low stock and waste below the columns
 * @returns {Layout}
 */
function aboveColumns(game, width, height, w, mirror, low) {
  const n = widthOf(game)
  const { h, strip, pip, pipSize, gap, margin: m, rowGap, fanStep } = sizesOf(w)
  const { at, pitch } = spread(m, width - 2 * m, w, n)
  const y = Math.round(m + rowGap / 2)
  const bottom = height - m - h
  const homesY = low ? bottom - rowGap - h : y
  const floor = low ? homesY - rowGap : height - m
  /** The room for foundations beside stock and waste, with this number of fanned cards. @param {number} cards */
  const beside = (cards) => at(n - 1) + w - at(0) - (low ? 0 : pitch + w + fanStep * (cards - 1))
  const shown = low
    ? Math.min(MOST, 1 + Math.floor((at(n - 1) - at(0) - pitch) / fanStep))
    : fanned(
        game,
        (cards) => beside(cards) >= 8 * pitch + w * AIR || (cards === FEWEST && lapOf(beside(cards), w, gap) >= w * LAP),
      )
  const fan = { x: fanStep, y: 0, shown }
  const behind = fan.x * (shown - 1)
  /** A place in the row, counted from the hand's side. @param {number} from */
  const place = (from) => ({ x: snap(mirror ? at(0) + from : at(n - 1) - from), y: low ? bottom : y, w, h })
  const stock = place(0)
  // The top card has the same place for any number of fanned cards.
  const waste = place(pitch + (mirror ? behind : 0))
  const homes = homesInRow(at(0), beside(shown), w, gap, n, pitch, mirror).map((x) => ({ x: snap(x), y: homesY, w, h }))
  // On an upright device, covered cards are nearly whole while there is room.
  const open = low ? Math.max(pip, Math.round(h * 0.9)) : pip
  // Low columns are near the thumb, and the rest of the height is above them. A single card is at most half of the height away
  // from the foundations.
  const nearest = Math.max(homesY - rowGap / 2 - (height + h) / 2, floor - h - (USUAL - 1) * open)
  const columnTop = low ? Math.max(y, Math.round(Math.min(nearest, floor - h - (COMFORT - 1) * strip * 1.15))) : y + h + rowGap
  const columns = Array.from({ length: game.columns }, (_, i) => ({
    x: snap(at(i + (n - game.columns) / 2)),
    y: columnTop,
    w,
    h,
  }))
  const columnsEnd = low ? homesY - rowGap / 2 : height
  const rowEnd = low ? bottom - rowGap / 2 : y + h + rowGap / 2
  const rowStart = low ? columnsEnd : 0
  const area = (/** @type {number} */ from, /** @type {number} */ to) => ({
    x: from,
    y: rowStart,
    w: to - from,
    h: rowEnd - rowStart,
  })
  /** Of the stock or the waste. @param {number} from @param {number} to */
  const turningArea = (from, to) => (low ? { x: from, y: rowEnd, w: to - from, h: height - rowEnd } : area(from, to))
  const areas = [
    ...[0, 1, 2, 3].map((suit) => area(homes[suit * 2].x - 2, homes[suit * 2 + 1].x + w + 2)),
    turningArea(waste.x - behind - 2, waste.x + w + 2),
    turningArea(stock.x - 2, stock.x + w + 2),
    ...columnAreas(columns, pitch, low ? 0 : rowEnd, columnsEnd),
  ]
  return { side: false, w, h, strip, pip, open, pipSize, columns, floor, stock, waste, fan, homes, areas }
}

/** How many cards of the waste are fanned, at least those that one draw reveals. @param {Game} game @param {(cards: number) => boolean} fits */
function fanned({ draw }, fits) {
  for (let cards = MOST; cards >= FEWEST; cards -= 1) if (fits(cards)) return cards
  return draw
}

/** By how much the second foundation of a pair is beside the first. @param {number} left @param {number} w @param {number} gap */
const lapOf = (left, w, gap) => Math.min(w + gap, (left - w * AIR) / 4 - w * APART - w)

/**
 * Eight foundations above eight columns if there is room, otherwise four pairs. In a pair, the second foundation covers as much
 * of the first as it must.
 * @param {number} start @param {number} left the room beside stock and waste @param {number} w @param {number} gap @param {number} n
 * @param {number} pitch @param {boolean} mirror
 */
function homesInRow(start, left, w, gap, n, pitch, mirror) {
  const right = start + (n - 1) * pitch + w
  if (left >= 8 * pitch + w * AIR)
    return Array.from({ length: 8 }, (_, i) => (mirror ? right - w - (7 - i) * pitch : start + i * pitch))
  const second = lapOf(left, w, gap)
  const pair = w + second + w * APART
  const first = mirror ? right - 4 * pair + w * APART : start
  return Array.from({ length: 8 }, (_, i) => first + (i >> 1) * pair + (i & 1) * second)
}

/** @param {Game} game @param {number} width @param {number} height @param {number} w @param {boolean} mirror @returns {Layout} */
function besideColumns(game, width, height, w, mirror) {
  const n = widthOf(game)
  const { h, strip, pip, pipSize, gap, margin: m, rowGap, panelGap, panel } = sizesOf(w)
  const across = width - 4 * m - panelGap - panel
  const { at, pitch } = spread(mirror ? 3 * m + panelGap + panel : m, across, w, n)
  const y = m + Math.round(rowGap / 3)
  const inner = mirror ? 2 * m : width - 2 * m - panel
  const outer = inner + w + gap
  const low = height - m - h
  const stepWith = (/** @type {number} */ cards) => Math.min(h + gap, (low - strip * (cards - 1) - rowGap - h - y) / 3)
  const shown = fanned(game, (cards) => stepWith(cards) >= h * 0.6)
  const fan = { x: 0, y: strip, shown }
  // Players use the stock most, so it is in the corner under the thumb.
  const stock = { x: snap(mirror ? inner : outer), y: low, w, h }
  const waste = { x: snap(mirror ? outer : inner), y: low, w, h }
  const wasteFrom = low - fan.y * (shown - 1)
  const step = stepWith(shown)
  const homes = Array.from({ length: 8 }, (_, i) => ({ x: snap(i & 1 ? outer : inner), y: snap(y + (i >> 1) * step), w, h }))
  const columns = Array.from({ length: game.columns }, (_, i) => ({ x: snap(at(i + (n - game.columns) / 2)), y, w, h }))
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
  return { side: true, w, h, strip, pip, open: pip, pipSize, columns, floor: height - m, stock, waste, fan, homes, areas }
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
