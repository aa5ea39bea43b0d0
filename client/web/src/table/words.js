/**
 * All words of the table, in English. Whoever makes a table may give others; each is a string or a function that makes one.
 */

import { HIDDEN, rankOf, suitOf } from '../rules/cards.js'
import { FOUNDATION, WASTE } from '../rules/moves.js'

const RANKS = ['ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king']
const SUITS = ['clubs', 'spades', 'hearts', 'diamonds']

/** @param {number} n @param {string} one */
const some = (n, one) => `${n} ${one}${n === 1 ? '' : 's'}`

export const ENGLISH = {
  table: 'Card table',
  piles: 'Piles. Press question mark for the keys.',
  list: 'Cards by pile',

  /** @param {number} card */
  card: (card) => (card === HIDDEN ? 'face-down card' : `${RANKS[rankOf(card) - 1]} of ${SUITS[suitOf(card)]}`),

  /** @param {number} pile */
  place: (pile) => (pile === FOUNDATION ? 'the foundation' : pile === WASTE ? 'the waste' : `column ${pile}`),

  /** @param {number} n @param {number} cards @param {string} top @param {number} down */
  column: (n, cards, top, down) =>
    cards ? `Column ${n}: ${some(cards, 'card')}, top ${top}${down ? `, ${down} face down` : ''}` : `Column ${n}: empty`,

  /** @param {number} cards @param {string} top */
  waste: (cards, top) => (cards ? `Waste: ${some(cards, 'card')}, top ${top}` : 'Waste: empty'),

  /** @param {number} cards @param {number} redeals */
  stock: (cards, redeals) =>
    `Stock: ${cards ? some(cards, 'card') : 'empty'}${redeals ? `, ${some(redeals, 'redeal')} left` : ''}`,

  /** @param {number} suit @param {string[]} tops of its piles that are not empty */
  foundation: (suit, tops) => `Foundation of ${SUITS[suit]}: ${tops.length ? tops.join(' and ') : 'empty'}`,

  /** @param {string} place @param {number} down @param {string[]} cards the lowest first */
  inFull: (place, down, cards) => `${place}, from the bottom: ${[...(down ? [`${down} face down`] : []), ...cards].join(', ')}`,

  inHand: 'lifted',
  takesIt: 'takes it',

  /** @param {string} card the highest of them @param {number} count */
  lifted: (card, count) => (count > 1 ? `Lifted ${some(count, 'card')} from ${card}` : `Lifted ${card}`),
  dropped: 'Put back',
  /** @param {string} card the highest of them @param {number} count @param {string} place */
  moved: (card, count, place) => (count > 1 ? `${some(count, 'card')} from ${card} to ${place}` : `${card} to ${place}`),
  /** @param {string[]} cards */
  drew: (cards) => `Drew ${cards.join(', ')}`,
  /** @param {string} card */
  turned: (card) => `${card} turned up`,
  redealt: 'The waste is the stock again',
  undone: 'Taken back',

  hintDraw: 'Draw from the stock',
  hintRedeal: 'Turn the waste over',
  noHint: 'No move is left that helps',

  /** Said instead of `does-not-build`, for who forgot it. @type {Readonly<Record<import('../rules/games.js').Game['build'], string>>} */
  builds: {
    'same-suit': 'Columns are built down in the same suit',
    'different-suit': 'Columns are built down in another suit',
    'alternating-colour': 'Columns are built down in alternating colours',
  },

  /** @type {Readonly<Record<import('./state.js').Refusal, string>>} */
  reasons: {
    'stock-empty': 'The stock is empty',
    'stock-not-empty': 'The stock is not empty yet',
    'waste-empty': 'There is nothing to turn over',
    'no-redeal': 'The stock is empty, and there is no redeal',
    'no-such-pile': 'There is no such pile',
    'same-pile': 'It lies there already',
    'nothing-there': 'There is no card',
    'not-turned-yet': 'This card is not known yet',
    'one-card': 'Only one card moves at a time',
    'not-a-sequence': 'These cards are no sequence',
    'does-not-build': 'It does not go there',
    'not-next-home': 'Its foundation needs another card first',
    'undo-off': 'Undo is off in this race',
    'undo-turned': 'The last move revealed a card, so it cannot be undone',
    'nothing-to-undo': 'There is nothing to undo',
    'no-move': 'It can go nowhere',
  },
}

/** @typedef {typeof ENGLISH} Words */
