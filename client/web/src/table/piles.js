/** The piles of a table, for touch, focus and screen readers. */

import { SUITS } from '../rules/cards.js'
import { FOUNDATION, STOCK, WASTE } from '../rules/moves.js'

/** @import { Game } from '../rules/games.js' */
/** @import { Box } from './layout.js' */

/**
 * @typedef {object} Pile
 * @property {string} id `foundation-H`, `waste`, `stock`, `column-7`
 * @property {number} number of the pile in moves
 * @property {number} suit of a foundation, else -1
 */

/** In the order of a layout's areas. @param {Game} game @returns {Pile[]} */
export function pilesOf(game) {
  return [
    ...[...SUITS].map((letter, suit) => ({ id: `foundation-${letter}`, number: FOUNDATION, suit })),
    { id: 'waste', number: WASTE, suit: -1 },
    { id: 'stock', number: STOCK, suit: -1 },
    ...Array.from({ length: game.columns }, (_, i) => ({ id: `column-${i + 1}`, number: i + 1, suit: -1 })),
  ]
}

/**
 * The next pile in the direction of an arrow key.
 * @param {readonly Box[]} areas @param {number} from @param {'left' | 'right' | 'up' | 'down'} direction
 * @returns {number} its index, or `from` if there is none
 */
export function neighbour(areas, from, direction) {
  const across = direction === 'left' || direction === 'right'
  const sign = direction === 'left' || direction === 'up' ? -1 : 1
  const here = areas[from]
  const middle = (/** @type {Box} */ box) => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 })
  let best = from
  let least = Infinity
  areas.forEach((box, i) => {
    const dx = middle(box).x - middle(here).x
    const dy = middle(box).y - middle(here).y
    const level = Math.min(box.y + box.h, here.y + here.h) - Math.max(box.y, here.y) > 4
    if (across ? dx * sign <= 1 || !level : dy * sign <= 1 || level) return
    const far = across ? Math.abs(dx) + Math.abs(dy) / 8 : Math.abs(dx) * 4 + Math.abs(dy)
    if (far < least) {
      least = far
      best = i
    }
  })
  return best
}
