/** What a screen reader says: what each pile holds, and what has just happened. */

import { HIDDEN } from '../rules/cards.js'
import { FOUNDATION, STOCK, WASTE } from '../rules/moves.js'

/** @typedef {import('../rules/board.js').Board} Board */
/** @typedef {import('./piles.js').Pile} Pile */
/** @typedef {import('./words.js').Words} Words */

/** @param {Words} words @param {Board} board @param {Pile} pile */
export function pileLabel(words, board, { number, suit }) {
  /** @param {number | undefined} slot */
  const card = (slot) => words.card(slot === undefined ? HIDDEN : board.face(slot))
  if (number === STOCK) return words.stock(board.stockCount, board.redealsLeft)
  if (number === WASTE) return words.waste(board.wasteSlots.length, card(board.wasteSlots.at(-1)))
  if (number === FOUNDATION) {
    const tops = board.homeSlots.slice(suit * 2, suit * 2 + 2).filter((pile) => pile.length)
    return words.foundation(
      suit,
      tops.map((pile) => card(pile.at(-1))),
    )
  }
  const pile = board.column(number)
  return words.column(number, pile.length, card(pile.at(-1)), board.down(number))
}

/**
 * A pile with all its cards that are known, from the bottom to the top.
 *
 * @param {Words} words @param {Board} board @param {Pile} pile
 */
export function pileInFull(words, board, pile) {
  if (pile.number < WASTE) return pileLabel(words, board, pile)
  const cards = pile.number === WASTE ? board.waste : board.columns[pile.number - 1]
  const down = pile.number === WASTE ? 0 : board.down(pile.number)
  const known = cards.slice(down).map(words.card)
  return known.length ? words.inFull(words.place(pile.number), down, known) : pileLabel(words, board, pile)
}

/** What lies on all foundations. @param {Words} words @param {Board} board @param {Pile[]} piles */
export const homesInFull = (words, board, piles) =>
  piles
    .filter(({ number }) => number === FOUNDATION)
    .map((pile) => sentence(pileLabel(words, board, pile)))
    .join(' ')

/**
 * The last move in words; null while it turned a card that is not known yet, for then there is more to come.
 *
 * @param {Words} words @param {Board} board
 */
export function lastMove(words, board) {
  const { last } = board
  if (!last) return ''
  const { move, moved, turned } = last
  const cards = turned.map((slot) => board.face(slot))
  if (cards.includes(HIDDEN)) return null
  const named = cards.map(words.card)
  if (move.source === STOCK) return sentence(words.drew(named))
  if (move.target === STOCK) return sentence(words.redealt)
  const said = sentence(words.moved(words.card(board.face(moved[0])), move.count, words.place(move.target)))
  return [said, ...named.map((card) => sentence(words.turned(card)))].join(' ')
}

/** A move that would be good. @param {Words} words @param {Board} board @param {import('../rules/moves.js').Move} move */
export function hinted(words, board, { source, target, count }) {
  if (source === STOCK) return words.hintDraw
  if (target === STOCK) return words.hintRedeal
  const slots = source === WASTE ? board.wasteSlots : board.column(source)
  return words.moved(words.card(board.face(slots.at(-count) ?? -1)), count, words.place(target))
}

/** @param {string} text */
export const sentence = (text) => `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`
