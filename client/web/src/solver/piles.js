/**
 * Piles as numbers: equal piles have the same number, so the value of a pile is computed once.
 *
 * 0 is the empty pile. Every other pile is a card on top of a smaller pile. To take a card off, or to put one on, is to look
 * up another number.
 */
import { familyOf, fits, orderOf, sequenceOf } from '../rules/games.js'
import { nth } from '../rules/nth.js'

/** @import { Card } from '../rules/cards.js' */
/** @import { Build, Game } from '../rules/games.js' */

/** The values of piles, in hundredths of a card that is not home; lower is better. piles.py of the server explains each. */
const BLOCKS = 45
const BURIES = 2
const BURIES_IN_WASTE = 14
const FAR = 6
const IN_WASTE = 15

/** The lowest height of an empty pile: higher than every height. */
const NO_HEIGHT = 14
/** A factor above the number of cards, for keys made of a pile and a card. */
const SHIFT = 64
const ALL = Array.from({ length: 52 }, (_, card) => card)

/** For every card, the cards that may be placed on it in a column, in ascending order. @param {Game} game @param {Build} build */
export const fitting = (game, build) => ALL.map((onto) => ALL.filter((card) => fits(game, build, card, onto)))

/** Piles, numbered when they first occur. The lists are indexed by the number of a pile; only this class adds to them. */
class Piles {
  /** The top card. The empty pile has none, and no caller reads it. @type {Card[]} */
  top = [-1]
  /** The pile without its top card. */
  below = [0]
  /** The sum of the values of its cards. */
  value = [0]
  /** The lowest height in it. */
  lowest = [NO_HEIGHT]
  /** @type {Map<number, number>} */
  #with = new Map()

  /** @param {Game} game @param {number} base the rank of the first card of each foundation */
  constructor(game, base) {
    /** For each card, its family, and the height of a foundation with this card on top. */
    this.family = Uint8Array.from(ALL, (card) => familyOf(game, card, base))
    this.height = Uint8Array.from(ALL, (card) => orderOf(card, base))
  }

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
    this.lowest.push(Math.min(nth(this.lowest, pile), nth(this.height, card)))
    return this.top.length - 1
  }

  /** The value that a card adds to a pile. @param {number} _pile @param {Card} _card @returns {number} */
  worth(_pile, _card) {
    throw new TypeError('each kind of pile has its own worth')
  }

  /** How many ranks a card is above the lowest one of a pile, up to `FAR`. @param {number} pile @param {Card} card */
  buries(pile, card) {
    return Math.min(FAR, Math.max(0, nth(this.height, card) - nth(this.lowest, pile)))
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
  #lowestOfFamily = [[NO_HEIGHT, NO_HEIGHT, NO_HEIGHT, NO_HEIGHT]]
  #fitting

  /** @param {Game} game @param {number} base */
  constructor(game, base) {
    super(game, base)
    this.#fitting = fitting(game, sequenceOf(game))
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
    const goesOn = pile && nth(this.#fitting, nth(this.top, pile)).includes(card)
    this.run.push(goesOn ? Math.min(13, nth(this.run, pile) + 1) : 1)
    const number = super.add(pile, card)
    const lowest = nth(this.#lowestOfFamily, pile).slice()
    const family = nth(this.family, card)
    lowest[family] = Math.min(nth(lowest, family), nth(this.height, card))
    this.#lowestOfFamily.push(lowest)
    return number
  }

  /** @override @param {number} pile @param {Card} card */
  worth(pile, card) {
    const blocks = nth(nth(this.#lowestOfFamily, pile), nth(this.family, card)) < nth(this.height, card) ? BLOCKS : 0
    return blocks + BURIES * this.buries(pile, card)
  }
}
