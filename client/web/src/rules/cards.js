/**
 * Cards as numbers, the same as on the server: suit * 13 + (rank - 1). Suits are in the order C S H D, ranks from ace (1) to
 * king (13). Both packs use the same 52 numbers.
 * @typedef {number} Card
 */
import { nth } from './nth.js'

/** A card with an unknown or hidden face; written `##`. */
export const HIDDEN = -1

export const RANKS = 'A23456789TJQK'
export const SUITS = 'CSHD'

/** @param {Card} card */
export const rankOf = (card) => (card % 13) + 1

/** @param {Card} card */
export const suitOf = (card) => Math.floor(card / 13)

/** @param {Card} card */
export const isRed = (card) => card >= 26

/** `TH`, or `##`. @param {Card} card */
export const cardName = (card) => (card === HIDDEN ? '##' : nth(RANKS, card % 13) + nth(SUITS, suitOf(card)))

/** @param {string} text @returns {Card} */
export function parseCard(text) {
  if (text === '##') return HIDDEN
  const rank = RANKS.indexOf(text[0] ?? '?')
  const suit = SUITS.indexOf(text[1] ?? '?')
  if (text.length !== 2 || rank < 0 || suit < 0) throw new RangeError(`${text} is not a card`)
  return suit * 13 + rank
}

/** `TH4C##`: the server's text form of several cards. @param {readonly Card[]} cards */
export const names = (cards) => cards.map(cardName).join('')

/** @param {string} text @returns {Card[]} */
export const parseCards = (text) =>
  Array.from({ length: Math.ceil(text.length / 2) }, (_, i) => parseCard(text.slice(2 * i, 2 * i + 2)))

/**
 * Both packs, shuffled: from the last card to the second, each is swapped with itself or an earlier card.
 * @param {(below: number) => number} choose a number from 0 up to `below`
 * @returns {Card[]}
 */
export function shuffled(choose) {
  const deck = Array.from({ length: 104 }, (_, i) => i % 52)
  for (let i = 103; i > 0; i -= 1) {
    const j = choose(i + 1)
    const card = nth(deck, i)
    deck[i] = nth(deck, j)
    deck[j] = card
  }
  return deck
}
