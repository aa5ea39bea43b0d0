/** Foundations as numbers: equal ones have the same number, so the cards that they accept are computed once. */
import { familyOf, orderOf } from '../rules/games.js'
import { nth } from '../rules/nth.js'

/** @import { Card } from '../rules/cards.js' */
/** @import { Game } from '../rules/games.js' */
/** @typedef {readonly (readonly number[])[]} Heights of the foundations of each family, the highest first */

/** The state of a card for some foundations: it must wait, it may go home, or it may go home without any loss. */
const WAIT = 0
const MAY_GO = 1
export const SAFE = 2

const CARDS = 52
/** A factor above the number of cards, for keys made of foundations and a card. */
const SHIFT = 64

/**
 * The foundations of a game, numbered when they first occur.
 * @param {Game} game @param {number} base the rank of the first card of each
 */
export function createFoundations(game, base) {
  /** @type {Heights[]} */
  const all = []
  /** @type {Map<string, number>} */
  const numbers = new Map()
  /** @type {Map<number, number>} */
  const following = new Map()
  /** For each number, the state of each of the 52 cards. @type {Uint8Array[]} */
  const says = []

  const cards = Array.from({ length: CARDS }, (_, card) => ({ family: familyOf(game, card, base), height: orderOf(card, base) }))
  const ownOnly = game.build === 'same-suit' && game.foundations === 'same-suit'

  /** @param {Heights} heights */
  function sayOf(heights) {
    const lows = heights.map((own) => nth(own, own.length - 1))
    const lowest = Math.min(...lows)
    return Uint8Array.from(cards, ({ family, height }) => {
      if (!nth(heights, family).includes(height - 1)) return WAIT
      // A card in a column is only needed as a place for cards one rank lower. If all cards two ranks lower are home, those
      // cards can go home themselves when they are free. The search gives up two rare uses: to lay a king on an ace, and to
      // choose when a column is filled again.
      return height <= 2 + (ownOnly ? nth(lows, family) : lowest) ? SAFE : MAY_GO
    })
  }

  /** The number of the foundations with these heights. @param {Heights} heights */
  function of(heights) {
    const key = heights.join()
    let number = numbers.get(key)
    if (number === undefined) {
      number = all.length
      numbers.set(key, number)
      all.push(heights)
      says.push(sayOf(heights))
    }
    return number
  }

  /** The number of the foundations after they have taken a card. @param {number} foundations @param {Card} card */
  function after(foundations, card) {
    const key = foundations * SHIFT + card
    let number = following.get(key)
    if (number === undefined) {
      const { family, height } = nth(cards, card)
      const heights = nth(all, foundations).slice()
      const own = nth(heights, family)
      const at = own.indexOf(height - 1)
      heights[family] = own.map((now, i) => (i === at ? height : now))
      number = of(heights)
      following.set(key, number)
    }
    return number
  }

  return { of, after, says }
}
