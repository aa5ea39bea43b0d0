/** What a screen reader says: what each pile holds, and what has just happened. */

import { HIDDEN } from '../rules/cards.js'
import { FOUNDATION, STOCK, WASTE } from '../rules/moves.js'
import { cardsText, cardText, listed, say, suitText } from './words.js'

/**
 * @import { Board } from '../rules/board.js'
 * @import { Move } from '../rules/moves.js'
 * @import { Pile } from './piles.js'
 */

/** @param {Board} board @param {number | undefined} slot */
const cardAt = (board, slot) => cardText(slot === undefined ? HIDDEN : board.face(slot))

/** @param {Board} board @param {number} suit */
function foundationLabel(board, suit) {
  const piles = board.homeSlots.slice(suit * 2, suit * 2 + 2).filter((pile) => pile.length)
  const [first = '', second = ''] = piles.map((pile) => cardAt(board, pile.at(-1)))
  return say('race.table.foundation', { suit: suitText(suit), count: piles.length, first, second })
}

/** @param {Board} board @param {Pile} pile */
export function pileLabel(board, { number, suit }) {
  const { stockCount, redealsLeft: redeals, wasteSlots } = board
  if (number === STOCK) return say('race.table.stock', { cards: stockCount, redeals })
  if (number === WASTE) return say('race.table.waste', { cards: wasteSlots.length, top: cardAt(board, wasteSlots.at(-1)) })
  if (number === FOUNDATION) return foundationLabel(board, suit)
  const pile = board.column(number)
  const top = cardAt(board, pile.at(-1))
  return say('race.table.column', { column: number, cards: pile.length, top, down: board.down(number) })
}

/**
 * A pile with all its cards that are known, from the bottom to the top.
 *
 * @param {Board} board @param {Pile} pile
 */
export function pileInFull(board, pile) {
  const { number } = pile
  if (number < WASTE) return pileLabel(board, pile)
  const down = number === WASTE ? 0 : board.down(number)
  const known = (number === WASTE ? board.wasteSlots : board.column(number)).slice(down)
  if (!known.length) return pileLabel(board, pile)
  const cards = cardsText(known.map((slot) => board.face(slot)))
  if (number === WASTE) return say('race.table.wasteInFull', { cards })
  return say('race.table.columnInFull', { column: number, down, cards })
}

/** What lies on all foundations. @param {Board} board */
export const homesInFull = (board) => listed([0, 1, 2, 3].map((suit) => foundationLabel(board, suit)))

/**
 * The last move in words; null while it turned a card that is not known yet, for then there is more to come.
 *
 * @param {Board} board
 */
export function lastMove(board) {
  const { last } = board
  if (!last) return ''
  const { move, moved, turned } = last
  const cards = turned.map((slot) => board.face(slot))
  if (cards.includes(HIDDEN)) return null
  if (move.source === STOCK) return say('race.table.drew', { cards: cardsText(cards) })
  if (move.target === STOCK) return say('race.table.redealt')
  const card = cardAt(board, moved[0])
  const said =
    move.target === FOUNDATION
      ? say('race.table.movedHome', { card })
      : say('race.table.moved', { count: move.count, card, column: move.target })
  return [said, ...cards.map((card) => say('race.table.revealed', { card: cardText(card) }))].join(' ')
}

/** A move that would be good. @param {Board} board @param {Move} move */
export function hinted(board, { source, target, count }) {
  if (source === STOCK) return say('race.table.hint.draw')
  if (target === STOCK) return say('race.table.hint.redeal')
  const slots = source === WASTE ? board.wasteSlots : board.column(source)
  const card = cardAt(board, slots.at(-count))
  return target === FOUNDATION
    ? say('race.table.hint.home', { card })
    : say('race.table.hint.move', { count, card, column: target })
}
