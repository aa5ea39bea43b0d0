/** The foundations as numbers: equal ones have the same number, so what they accept is worked out once. */

import { rankOf, suitOf } from '../rules/cards.js'
import { nth } from '../rules/nth.js'

/**
 * @import { Card } from '../rules/cards.js'
 * @import { Game } from '../rules/games.js'
 */

/** @typedef {readonly (readonly [high: number, low: number])[]} Heights of the two foundations of each suit */

/** What the foundations say of a card: that it has to wait, that it may go home, or that it may and nothing can be lost. */
const WAIT = 0
const MAY_GO = 1
export const SAFE = 2

const CARDS = 52
/** More than the cards, for numbers made of a foundation and a card. */
const SHIFT = 64

/** The foundations of a game, as they are met. @param {Game['build']} build */
export function createFoundations(build) {
  /** @type {Heights[]} */
  const all = []
  /** @type {Map<string, number>} */
  const numbers = new Map()
  /** @type {Map<number, number>} */
  const following = new Map()
  /** For each number, what these foundations say of each of the 52 cards. @type {Uint8Array[]} */
  const says = []

  /** @param {Heights} heights @param {Card} card */
  function say(heights, card) {
    const rank = rankOf(card)
    const own = nth(heights, suitOf(card))
    if (!own.includes(rank - 1)) return WAIT
    // A card is only needed in a column for those one rank lower to lie on. If all cards two ranks lower are home, those
    // can go home themselves as soon as they are free.
    const suits = build === 'same-suit' ? [own] : heights
    return rank <= 2 + Math.min(...suits.map(([, low]) => low)) ? SAFE : MAY_GO
  }

  /** The number of the foundations with these heights. @param {Heights} heights */
  function of(heights) {
    const key = heights.join()
    let number = numbers.get(key)
    if (number === undefined) {
      number = all.length
      numbers.set(key, number)
      all.push(heights)
      says.push(Uint8Array.from({ length: CARDS }, (_, card) => say(heights, card)))
    }
    return number
  }

  /** The number of the foundations after a card that they accept. @param {number} foundations @param {Card} card */
  function after(foundations, card) {
    const key = foundations * SHIFT + card
    let number = following.get(key)
    if (number === undefined) {
      const suit = suitOf(card)
      const [high, low] = nth(nth(all, foundations), suit)
      const heights = nth(all, foundations).slice()
      heights[suit] = high === rankOf(card) - 1 ? [high + 1, low] : [high, low + 1]
      number = of(heights)
      following.set(key, number)
    }
    return number
  }

  return { of, after, says }
}
