/**
 * The faces of the cards. Ranks are strokes and suits are shapes, so that they look the same everywhere and need no font.
 * Every glyph is 24 high.
 */
import { cardName, HIDDEN, rankOf, suitOf } from '../rules/cards.js'

const SVG = 'http://www.w3.org/2000/svg'

/** Strokes of A 2 ... 10 J Q K. */
const RANKS = [
  'M2 22.5 9 2l7 20.5M4.6 15.8h8.8',
  'M2.6 7.6C2.6 4.3 5 2 8 2s5.4 2.1 5.4 5.2c0 2.4-1.4 4.2-3.6 6.7L3 21.6v.4h11.4',
  'M2.4 5.8C3.4 3.4 5.4 2 8 2c3.1 0 5.3 1.9 5.3 4.7 0 2.7-2.1 4.6-5.3 4.6H6.4M8 11.3c3.4 0 5.8 2.1 5.8 5.2 0 3.3-2.5 5.5-6 5.5-2.9 0-5.2-1.5-6-4.2',
  'M11.6 22.5V2.6L2 16.6h13.6',
  'M13.4 2H4.4l-.9 9.2C4.7 10 6.3 9.4 8 9.4c3.6 0 6 2.5 6 6.2 0 3.8-2.6 6.4-6.2 6.4-2.8 0-5-1.4-6-4',
  'M13 5.3C12 3.2 10.3 2 8.2 2 4.5 2 2.2 5.6 2.2 12.2c0 6.2 2.2 9.8 6 9.8 3.4 0 5.8-2.5 5.8-6.1 0-3.5-2.3-5.9-5.5-5.9-3 0-5.5 2-6.2 4.8',
  'M1.6 2h12.2L6 22.5',
  'M8 11.2c-2.9 0-4.9-1.9-4.9-4.6S5.1 2 8 2s4.9 1.9 4.9 4.6-2 4.6-4.9 4.6zm0 0c-3.4 0-5.8 2.2-5.8 5.4S4.6 22 8 22s5.8-2.2 5.8-5.4-2.4-5.4-5.8-5.4z',
  'M3 18.7c1 2.1 2.7 3.3 4.8 3.3 3.7 0 6-3.6 6-10.2 0-6.2-2.2-9.8-6-9.8C4.4 2 2 4.5 2 8.1 2 11.6 4.3 14 7.5 14c3 0 5.5-2 6.2-4.8',
  'M1.4 6.4 5.6 2.6v19.9M14.7 2c-3 0-4.8 3.6-4.8 10s1.8 10 4.8 10 4.8-3.6 4.8-10-1.8-10-4.8-10z',
  'M11.6 1.5v14.1c0 4.1-1.9 6.4-4.9 6.4-2.6 0-4.3-1.6-4.8-4.5',
  'M9 2c-4.2 0-7.1 3.9-7.1 10S4.8 22 9 22s7.1-3.9 7.1-10S13.2 2 9 2zm1.4 13.4 6 7.6',
  'M3.2 1.5v21M15 1.6 3.4 14.6M7.6 10.2 15.6 22.5',
]
const RANK_WIDTHS = [18, 16, 16, 17, 16, 16, 16, 16, 16, 21, 14, 19, 17]

/** Clubs, spades, hearts, diamonds. */
const SUITS = [
  'M12 1.6a4.9 4.9 0 0 1 4.1 7.6 4.9 4.9 0 1 1-3 8.2c.2 2.2 1 3.8 2.4 5H8.5c1.4-1.2 2.2-2.8 2.4-5a4.9 4.9 0 1 1-3-8.2A4.9 4.9 0 0 1 12 1.6z',
  'M12 1.5c3 4.6 9.6 7.9 9.6 13 0 2.8-2 4.8-4.5 4.8-1.6 0-3-.7-3.9-2 .2 2.2 1 3.8 2.3 5.1h-7c1.3-1.3 2.1-2.9 2.3-5.1-.9 1.3-2.3 2-3.9 2-2.5 0-4.5-2-4.5-4.8 0-5.1 6.6-8.4 9.6-13z',
  'M12 22.4C7.6 18.2 1.8 13.8 1.8 8.3c0-3.3 2.5-5.8 5.5-5.8 2 0 3.7 1 4.7 2.7 1-1.7 2.7-2.7 4.7-2.7 3 0 5.5 2.5 5.5 5.8 0 5.5-5.8 9.9-10.2 14.1z',
  'M9 1.2c2.1 3.9 4.9 7.4 8.2 10.8-3.3 3.4-6.1 6.9-8.2 10.8-2.1-3.9-4.9-7.4-8.2-10.8 3.3-3.4 6.1-6.9 8.2-10.8z',
]
const SUIT_WIDTHS = [24, 24, 24, 18]

/** @param {number} width @param {string} path @param {string} name of its class */
function glyph(width, path, name) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', `0 0 ${width} 24`)
  svg.setAttribute('class', name)
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

/** @param {number} suit @param {string} name */
export const suitGlyph = (suit, name) => glyph(SUIT_WIDTHS[suit], SUITS[suit], name)

/** A circular arrow: the player can redeal. */
export const redealGlyph = () => glyph(24, 'M20.5 12.5A8.5 8.5 0 1 1 17.6 6M19 1.5v6h-6', 'ft-redeal')

/** A card's element, face down. */
export function cardElement() {
  const element = Object.assign(document.createElement('div'), { className: 'ft-card' })
  element.dataset.card = '##'
  return element
}

/** Shows a card's face, or its back if the card is `HIDDEN`. @param {HTMLElement} element @param {number} card */
export function showFace(element, card) {
  const name = cardName(card)
  if (element.dataset.card === name) return
  element.dataset.card = name
  element.classList.toggle('ft-up', card !== HIDDEN)
  element.classList.remove('ft-turn')
  if (card === HIDDEN) return
  const face = document.createElement('div')
  face.className = 'ft-face'
  face.dataset.suit = name[1]
  const rank = rankOf(card) - 1
  const suit = suitOf(card)
  face.append(glyph(RANK_WIDTHS[rank], RANKS[rank], 'ft-rank'), suitGlyph(suit, 'ft-suit'), suitGlyph(suit, 'ft-pip'))
  element.replaceChildren(face)
}
