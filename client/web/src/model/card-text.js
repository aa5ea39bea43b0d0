/** A card in two or three characters, for small pictures and lists. */
import { cardName } from '../rules/cards.js'

const SUITS = { C: '♣', S: '♠', H: '♥', D: '♦' }

/** `10♥`. @param {number} card */
export function cardText(card) {
  const name = cardName(card)
  const suit = SUITS[/** @type {keyof typeof SUITS} */ (name[1])]
  // The text form, not the coloured picture that some systems have of it.
  return `${name[0] === 'T' ? '10' : name[0]}${suit}\uFE0E`
}
