/** Where each of the 104 cards lies, and what one sees of it: the picture that `render.js` brings onto the screen. */

import { HIDDEN } from '../rules/cards.js'
import { FOUNDATION, WASTE } from '../rules/moves.js'
import { fanOf } from './layout.js'
import { homeOf, targetsOf } from './state.js'

/**
 * @import { Board } from '../rules/board.js'
 * @import { Box, Layout } from './layout.js'
 * @import { Drag, Point, State } from './state.js'
 */

/**
 * @typedef {object} Place
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {number} face
 * @property {boolean} shown false for a card under others that nobody can see anyway
 * @property {number} squeeze how much of its strip it shows, 1 is all
 * @property {boolean} lifted
 * @property {boolean} lit whether the lifted cards may be put on it
 */

/** Above all that lies still. */
export const IN_FLIGHT = 1000
const IN_HAND = 2000

/**
 * @param {State} state
 * @param {number[]} [targets] the piles that would take the lifted cards
 * @returns {Place[]} by slot
 */
export function placesOf(state, targets = targetsOf(state)) {
  const { board, layout, lifted, drag } = state
  /** @type {Place[]} */
  const places = []
  if (!board || !layout) return places

  /** @param {number} slot @param {number} x @param {number} y @param {number} z @param {Partial<Place>} [more] */
  const put = (slot, x, y, z, more) => {
    places[slot] = { x, y, z, face: board.face(slot), shown: true, squeeze: 1, lifted: false, lit: false, ...more }
  }

  layout.columns.forEach(({ x, y }, i) => {
    const pile = board.column(i + 1)
    const down = board.down(i + 1)
    const { tops, squeeze } = fanOf(layout, pile.length, down)
    pile.forEach((slot, depth) => {
      const last = depth === pile.length - 1
      put(slot, x, y + tops[depth], depth, { squeeze: last ? 1 : squeeze, ...(depth < down && { face: HIDDEN }) })
    })
  })

  const { stock, waste, fan, homes } = layout
  board.stockSlots.forEach((slot, i) => put(slot, stock.x, stock.y, i, { face: HIDDEN, shown: i >= board.stockCount - 2 }))
  board.wasteSlots.forEach((slot, i, pile) => {
    const under = pile.length - 1 - i
    const steps = Math.min(under, fan.shown - 1)
    // Twice as many as are fanned: what slides under the others is seen until it is there.
    put(slot, waste.x - steps * fan.x, waste.y - steps * fan.y, i, { shown: under < 2 * fan.shown })
  })
  board.homeSlots.forEach((pile, home) => {
    pile.forEach((slot, i) => put(slot, homes[home].x, homes[home].y, home * 16 + i, { shown: i >= pile.length - 2 }))
  })

  for (const slot of targetTops(state, targets)) if (slot !== undefined) places[slot].lit = true
  if (lifted) {
    const inHand = cardsOf(board, lifted.source).slice(-lifted.count)
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

/** @param {Board} board @param {number} source */
const cardsOf = (board, source) => (source === WASTE ? board.wasteSlots : board.column(source))

/** Whole pixels keep the cards crisp. @param {Point} from @param {Point} to @returns {Point} */
const awayFrom = (from, to) => ({ x: Math.round(to.x - from.x), y: Math.round(to.y - from.y) })

/** Where the first of the cards is that a finger drags. @param {Layout} layout @param {Drag} drag @returns {Box} */
export const heldAt = ({ w, h }, { finger, grip }) => ({ x: finger.x - grip.x * w, y: finger.y - grip.y * h, w, h })

/**
 * How many cards a finger that touches a pile at this height means.
 *
 * @param {State} state @param {number} source @param {number} y on the table
 */
export function touchedAt({ board, layout }, source, y) {
  if (!board || !layout || source <= WASTE) return 1
  const { length } = board.column(source)
  const { tops } = fanOf(layout, length, board.down(source))
  const under = y - layout.columns[source - 1].y
  const depth = tops.findLastIndex((top) => top <= under)
  // Under the cards, the last one is meant; on cards that do not move, all that do.
  return Math.max(1, under > (tops.at(-1) ?? 0) ? 1 : length - Math.max(0, depth))
}

/**
 * Where a finger touches the card with which `count` cards of a pile begin.
 *
 * @param {State} state @param {number} source @param {number} count @param {Point} finger
 * @returns {Point} as parts of a card's width and height
 */
export function gripOf(state, source, count, finger) {
  const { board, layout } = state
  if (!board || !layout) return { x: 0, y: 0 }
  const { x, y } = placesOf({ ...state, lifted: null })[cardsOf(board, source).at(-count) ?? 0]
  return { x: (finger.x - x) / layout.w, y: (finger.y - y) / layout.h }
}

/** The cards that the lifted ones may be put on. @param {State} state @param {number[]} targets */
function targetTops(state, targets) {
  const board = /** @type {Board} */ (state.board)
  return targets.map((target) => (target === FOUNDATION ? board.homeSlots[homeOf(state)].at(-1) : board.column(target).at(-1)))
}

/**
 * The places without cards that take the lifted ones: `column-3`, or `home-4`.
 *
 * @param {State} state
 * @param {number[]} [targets] the piles that would take them
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
