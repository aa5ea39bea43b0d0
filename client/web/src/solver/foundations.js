/** Foundations as numbers: equal ones have the same number, so the cards that they accept are computed once. */
import { rankOf, suitOf } from '../rules/cards.js'
import { nth } from '../rules/nth.js'

/** @import { Card } from '../rules/cards.js' */
/** @import { Game } from '../rules/games.js' */
/** @typedef {readonly (readonly [high: number, low: number])[]} Heights of the two foundations of each suit */

/** The state of a card for some foundations: it must wait, it may go home, or it may go home without any loss. */
const WAIT = 0
const MAY_GO = 1
export const SAFE = 2

const CARDS = 52
/** A factor above the number of cards, for keys made of foundations and a card. */
const SHIFT = 64

/** The foundations of a game, numbered when they first occur. @param {Game['build']} build */
export function createFoundations(build) {
  /** @type {Heights[]} */
  const all = []
  /** @type {Map<string, number>} */
  const numbers = new Map()
  /** @type {Map<number, number>} */
  const following = new Map()
  /** For each number, the state of each of the 52 cards. @type {Uint8Array[]} */
  const says = []

  /** @param {Heights} heights @param {Card} card */
  function say(heights, card) {
    const rank = rankOf(card)
    const own = nth(heights, suitOf(card))
    if (!own.includes(rank - 1)) return WAIT
    // A card in a column is only needed as a place for cards one rank lower. If all cards two ranks lower are home, those
    // cards can go home themselves when they are free.
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

  /** The number of the foundations after they have taken a card. @param {number} foundations @param {Card} card */
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
