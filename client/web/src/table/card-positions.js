/** Where each of the 104 cards lies, and how much of it is visible. `render.js` draws this. */
import { HIDDEN } from '../rules/cards.js'
import { FOUNDATION, WASTE } from '../rules/move-notation.js'
import { fanOf, spreadOf } from './layout.js'
import { homeOf, targetsOf } from './state.js'

/** @import { Board } from '../rules/board.js' */
/** @import { Box, Layout } from './layout.js' */
/** @import { Drag, Point, State } from './state.js' */

/**
 * @typedef {object} Place
 * @property {number} x @property {number} y @property {number} z @property {number} face
 * @property {boolean} shown false: other cards cover it completely.
 * @property {number} squeeze the visible part of its strip, 1: all of it.
 * @property {boolean} bare true: a covered card with so large a strip that its pip would be cut.
 * @property {boolean} lifted @property {boolean} lit true: it can take the lifted cards
 * @property {boolean} [fanned] true: in the waste
 */

export const IN_FLIGHT = 1000 // above all cards that do not move
const IN_HAND = 2000
const FANNED = 0.85 // the size of rank and suit that fits on the visible part of a fanned card of the waste

/** Whether a strip ends within the pip. @param {Layout} layout @param {number} strip */
const isCut = ({ pip, pipSize }, strip) => strip > pip && strip < pip + pipSize

/** @param {State} state @param {number[]} [targets] the piles that can take the lifted cards @returns {Place[]} by slot */
export function placesOf(state, targets = targetsOf(state)) {
  const { board, layout, lifted, drag } = state
  /** @type {Place[]} */
  const places = []
  if (!board || !layout) return places

  /** @param {number} slot @param {number} x @param {number} y @param {number} z @param {Partial<Place>} [more] */
  const put = (slot, x, y, z, more) => {
    places[slot] = { x, y, z, face: board.face(slot), shown: true, squeeze: 1, bare: false, lifted: false, lit: false, ...more }
  }

  layout.columns.forEach(({ x, y }, i) => {
    const pile = board.column(i + 1)
    const down = board.down(i + 1)
    const { tops, squeeze } = fanOf(layout, pile.length, down)
    // Below dragged cards, a whole card is seen.
    const whole = pile.length - 1 - (drag && lifted?.source === i + 1 ? lifted.count : 0)
    pile.forEach((slot, depth) => {
      const last = depth === pile.length - 1
      const bare = depth < whole && isCut(layout, tops[depth + 1] - tops[depth])
      put(slot, x, y + tops[depth], depth, { squeeze: last ? 1 : squeeze, bare, ...(depth < down && { face: HIDDEN }) })
    })
  })

  const { stock, waste, fan, homes } = layout
  const all = state.spread ? spreadOf(layout, state.size, board.pile(WASTE).length) : null
  board.stockSlots.forEach((slot, i) => put(slot, stock.x, stock.y, i, { face: HIDDEN, shown: i >= board.stockCount - 2 }))
  board.pile(WASTE).forEach((slot, i, pile) => {
    const under = pile.length - 1 - i
    const steps = Math.min(under, fan.shown - 1)
    // Show more than are fanned: the cards under those that arrive stay visible.
    const shown = under < fan.shown + board.game.draw
    put(slot, waste.x - steps * fan.x, waste.y - steps * fan.y, i, { squeeze: under && fan.x ? FANNED : 1, shown, fanned: true })
    const at = all?.[i]
    if (at) put(slot, at.x, at.y, IN_HAND + i, {})
  })
  board.homeSlots.forEach((pile, home) => {
    pile.forEach((slot, i) => put(slot, homes[home].x, homes[home].y, home * 16 + i, { shown: i >= pile.length - 2 }))
  })

  for (const slot of targetTops(state, targets)) if (slot !== undefined) places[slot].lit = true
  if (lifted) {
    const inHand = board.pile(lifted.source).slice(-lifted.count)
    const by = drag ? awayFrom(places[inHand[0]], heldAt(layout, drag)) : { x: 0, y: -Math.round(layout.h * 0.07) }
    for (const slot of inHand) {
      const place = places[slot]
      place.lifted = true
      place.x += by.x
      place.y += by.y
      if (drag) place.z += IN_HAND
    }
  }
  return places
}

/** Whole pixels keep the cards crisp. @param {Point} from @param {Point} to @returns {Point} */
const awayFrom = (from, to) => ({ x: Math.round(to.x - from.x), y: Math.round(to.y - from.y) })

/** The position of the first dragged card. @param {Layout} layout @param {Drag} drag @returns {Box} */
export const heldAt = ({ w, h }, { finger, grip }) => ({ x: finger.x - grip.x * w, y: finger.y - grip.y * h, w, h })

/**
 * How many cards the player means by touching a pile at this height.
 * @param {State} state @param {number} source @param {number} y on the table
 */
export function touchedAt({ board, layout }, source, y) {
  if (!board || !layout || source <= WASTE) return 1
  const { length } = board.column(source)
  const { tops } = fanOf(layout, length, board.down(source))
  const under = y - layout.columns[source - 1].y
  const depth = tops.map((top) => top <= under).lastIndexOf(true)
  // Below the cards, this is the last card. The caller limits the count to the cards that can move.
  return Math.max(1, under > (tops.at(-1) ?? 0) ? 1 : length - Math.max(0, depth))
}

/**
 * Where a finger touches the first of the last `count` cards of a pile.
 * @param {State} state @param {number} source @param {number} count @param {Point} finger
 * @returns {Point} as parts of a card's width and height
 */
export function gripOf(state, source, count, finger) {
  const { board, layout } = state
  if (!board || !layout) return { x: 0, y: 0 }
  const { x, y } = placesOf({ ...state, lifted: null })[board.pile(source).at(-count) ?? 0]
  return { x: (finger.x - x) / layout.w, y: (finger.y - y) / layout.h }
}

/** The cards on which the player can put the lifted ones. @param {State} state @param {number[]} targets */
function targetTops(state, targets) {
  const board = /** @type {Board} */ (state.board)
  return targets.map((target) => (target === FOUNDATION ? board.homeSlots[homeOf(state)].at(-1) : board.column(target).at(-1)))
}

/**
 * The empty places that can take the lifted cards: `column-3`, or `home-4`.
 * @param {State} state @param {number[]} [targets] the piles that can take them
 * @returns {Set<string>}
 */
export function litSlots(state, targets = targetsOf(state)) {
  const { board } = state
  const lit = new Set()
  for (const target of targets) {
    const home = target === FOUNDATION ? homeOf(state) : -1
    const empty = board && (home < 0 ? board.column(target) : board.homeSlots[home]).length === 0
    if (empty) lit.add(home < 0 ? `column-${target}` : `home-${home}`)
  }
  return lit
}
