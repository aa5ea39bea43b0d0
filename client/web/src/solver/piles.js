/**
 * Piles as numbers: equal piles have the same number, so the value of a pile is computed once.
 *
 * 0 is the empty pile. Every other pile is a card on top of a smaller pile. To take a card off, or to put one on, is to look
 * up another number.
 */
import { rankOf, suitOf } from '../rules/cards.js'
import { SUITS_BUILD } from '../rules/games.js'
import { nth } from '../rules/nth.js'

/** @import { Card } from '../rules/cards.js' */
/** @import { Game } from '../rules/games.js' */
/** @typedef {Game['build']} Build */

/** The values of piles, in hundredths of a card that is not home; lower is better. piles.py of the server explains each. */
const BLOCKS = 45
const BURIES = 2
const BURIES_IN_WASTE = 14
const FAR = 6
const IN_WASTE = 15

/** The lowest rank of an empty pile: higher than every rank. */
const NO_RANK = 14
/** A factor above the number of cards, for keys made of a pile and a card. */
const SHIFT = 64
const ALL = Array.from({ length: 52 }, (_, card) => card)

/** For every card, the cards that may be placed on it in a column, in ascending order. @param {Build} build */
export const fitting = (build) =>
  ALL.map((onto) => ALL.filter((card) => rankOf(card) === rankOf(onto) - 1 && SUITS_BUILD[build](card, onto)))

/** Piles, numbered when they first occur. The lists are indexed by the number of a pile; only this class adds to them. */
class Piles {
  /** The top card. The empty pile has none, and no caller reads it. @type {Card[]} */
  top = [-1]
  /** The pile without its top card. */
  below = [0]
  /** The sum of the values of its cards. */
  value = [0]
  /** The lowest rank in it. */
  lowest = [NO_RANK]
  /** @type {Map<number, number>} */
  #with = new Map()

  /** The pile with one more card on top. @param {number} pile @param {Card} card */
  put(pile, card) {
    const key = pile * SHIFT + card
    let number = this.#with.get(key)
    if (number === undefined) {
      number = this.add(pile, card)
      this.#with.set(key, number)
    }
    return number
  }

  /** The pile of these cards, the bottom card first. @param {readonly Card[]} cards */
  of(cards) {
    return cards.reduce((pile, card) => this.put(pile, card), 0)
  }

  /** A new pile, different from all others. @param {number} pile @param {Card} card */
  add(pile, card) {
    this.top.push(card)
    this.below.push(pile)
    this.value.push(nth(this.value, pile) + this.worth(pile, card))
    this.lowest.push(Math.min(nth(this.lowest, pile), rankOf(card)))
    return this.top.length - 1
  }

  /** The value that a card adds to a pile. @param {number} _pile @param {Card} _card @returns {number} */
  worth(_pile, _card) {
    throw new TypeError('each kind of pile has its own worth')
  }

  /** How many ranks a card is above the lowest one of a pile, up to `FAR`. @param {number} pile @param {Card} card */
  buries(pile, card) {
    return Math.min(FAR, Math.max(0, rankOf(card) - nth(this.lowest, pile)))
  }
}

/** The piles of waste and stock. The top of a stock is the card that is drawn next. */
export class Wastes extends Piles {
  /** @override @param {number} pile @param {Card} card */
  worth(pile, card) {
    return IN_WASTE + BURIES_IN_WASTE * this.buries(pile, card)
  }
}

/** Columns. The last card of a column always lies face up. */
export class Columns extends Piles {
  /** How many cards at the end of the column are one sequence. */
  run = [0]
  /** @type {number[][]} */
  #lowestOfSuit = [[NO_RANK, NO_RANK, NO_RANK, NO_RANK]]
  #fitting

  /** @param {Build} build */
  constructor(build) {
    super()
    this.#fitting = fitting(build)
  }

  /**
   * The column of these cards, with `faceDown` face-down cards at the bottom.
   *
   * A card above a face-down card begins a sequence, also after its own reveal. So a column with face-down cards never has the
   * number of a column that was built; nothing else is different.
   * @param {readonly Card[]} cards @param {number} faceDown
   */
  dealt(cards, faceDown) {
    return cards.reduce((pile, card, at) => {
      if (at === 0 || at > faceDown) return this.put(pile, card)
      const number = this.add(pile, card)
      this.run[number] = 1
      return number
    }, 0)
  }

  /** @override @param {number} pile @param {Card} card */
  add(pile, card) {
    const fits = pile && nth(this.#fitting, nth(this.top, pile)).includes(card)
    this.run.push(fits ? nth(this.run, pile) + 1 : 1)
    const number = super.add(pile, card)
    const lowest = nth(this.#lowestOfSuit, pile).slice()
    lowest[suitOf(card)] = Math.min(nth(lowest, suitOf(card)), rankOf(card))
    this.#lowestOfSuit.push(lowest)
    return number
  }

  /** @override @param {number} pile @param {Card} card */
  worth(pile, card) {
    const blocks = nth(nth(this.#lowestOfSuit, pile), suitOf(card)) < rankOf(card) ? BLOCKS : 0
    return blocks + BURIES * this.buries(pile, card)
  }
}
