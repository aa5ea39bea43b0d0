/** The table's own words: it says them once, and anew when `table.js` hears of another language. */

import { untracked } from '@preact/signals'
import { HIDDEN, RANKS, SUITS, suitOf } from '../rules/cards.js'
import { language, t } from '../words/index.js'

/**
 * @import { Game } from '../rules/games.js'
 * @import { Refusal } from './state.js'
 */

/** A message, for whoever is not to be run again in another language. */
export const say = /** @type {typeof t} */ ((/** @type {[any]} */ ...message) => untracked(() => t(...message)))

/** What is made once for a language: after each move, all cards that lie open are named. */
let made = { tag: '', names: /** @type {string[]} */ ([]), list: new Intl.ListFormat() }

function inUse() {
  const tag = untracked(language)
  if (made.tag !== tag) made = { tag, names: [], list: new Intl.ListFormat(tag, { type: 'unit' }) }
  return made
}

/** A rank, as messages have it. @param {number} card */
const rankText = (card) => RANKS[card % 13]?.replace('T', '10') ?? ''

/** A suit, as messages have it. @param {number} suit */
export const suitText = (suit) => SUITS[suit] ?? ''

/** `10 of hearts`. @param {number} card */
export function cardText(card) {
  if (card === HIDDEN) return say('race.table.faceDown')
  const { names } = inUse()
  names[card] ??= say('race.table.card', { rank: rankText(card), suit: suitText(suitOf(card)) })
  return names[card]
}

/** One after the other. @param {readonly string[]} texts */
export const listed = (texts) => inUse().list.format(texts)

/** `2 of clubs, 3 of clubs`. @param {readonly number[]} cards */
export const cardsText = (cards) => listed(cards.map(cardText))

/** Why something does not work. @param {Refusal} reason @param {Game | undefined} game */
export function reasonText(reason, game) {
  // For who forgot how columns are built.
  if (reason === 'does-not-build' && game) return say(`race.table.no.build-${game.build}`)
  return say(`race.table.no.${reason}`)
}
