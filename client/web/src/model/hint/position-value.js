/**
 * How good a position looks to an experienced player: lower is better, and 0 is a win. The weights are the same as for the
 * house bots, where they were found by play. shared/vectors/hints.json tests that both make the same choices.
 */
import { HIDDEN, suitOf } from '../../rules/cards.js'
import { orderOf } from '../../rules/games.js'

/** @import { Card } from '../../rules/cards.js' */

/** For each card that is not home. */
const NOT_HOME = 1
/** For each card in a column above a lower card of its suit: it must move before the lower card can go home. */
const BLOCKS = 0.9
/** For each card above a lower card of any suit, per rank of difference, up to `FAR`. */
const BURIES = 0.02
const BURIES_IN_WASTE = 0.1
const FAR = 6
/** For each card in the waste, because its cards can only leave one at a time and in order. */
const IN_WASTE = 0.2
/** For each unknown card. */
const FACE_DOWN = 4.4
/** For the first empty column, and for each further one. */
const EMPTY = -2
const MORE_EMPTY = -0.2

/** A placeholder for a card that is being revealed; it adds nothing to the value. */
export const TURNING = -2

const NO_CARD = 99

/** @param {readonly Card[]} column @param {number} base */
function columnValue(column, base) {
  let value = 0
  const lowestOfSuit = [NO_CARD, NO_CARD, NO_CARD, NO_CARD]
  let lowest = NO_CARD
  for (const card of column) {
    if (card < 0) {
      value += card === HIDDEN ? FACE_DOWN : 0
      continue
    }
    const height = orderOf(card, base)
    const suit = suitOf(card)
    if (Number(lowestOfSuit[suit]) < height) value += BLOCKS
    else lowestOfSuit[suit] = height
    if (lowest < height) value += BURIES * Math.min(FAR, height - lowest)
    else lowest = height
  }
  return value
}

/** @param {readonly Card[]} waste @param {number} base */
function wasteValue(waste, base) {
  let value = IN_WASTE * waste.length
  let lowest = NO_CARD
  for (const card of waste) {
    const height = orderOf(card, base)
    if (lowest < height) value += BURIES_IN_WASTE * Math.min(FAR, height - lowest)
    else lowest = height
  }
  return value
}

/**
 * @param {readonly (readonly Card[])[]} columns bottom first @param {readonly Card[]} waste @param {number} home
 * @param {number} [base] the rank of the first card of each foundation
 */
export function positionValue(columns, waste, home, base = 1) {
  let value = (104 - home) * NOT_HOME + wasteValue(waste, base)
  let empty = 0
  for (const column of columns) {
    if (column.length) {
      value += columnValue(column, base)
    } else {
      value += empty ? MORE_EMPTY : EMPTY
      empty += 1
    }
  }
  return value
}
