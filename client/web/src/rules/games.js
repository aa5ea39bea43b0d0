/** The games: one row each, from the same table that the server reads. */
import table from '../../../../shared/fortythieves/rules/games.json' with { type: 'json' }
import { isRed, rankOf, suitOf } from './cards.js'

/** @typedef {'same-suit' | 'different-suit' | 'any-suit' | 'alternating-colour'} Build */

/**
 * @typedef {object} Game
 * @property {string} key @property {string} name @property {number} columns
 * @property {number | readonly number[]} cards how many are dealt to each column: one number for all, or one for each.
 * @property {number | readonly number[]} face_down how many of them, from the bottom, lie face down.
 * @property {Build} build
 * @property {boolean} wrap whether a king may lie on an ace.
 * @property {'card' | 'sequence' | 'in-suit'} unit the cards that move together; `in-suit`: a sequence in one suit
 * @property {'any' | 'waste' | 'king' | 'refill'} empty the cards that an empty column takes; `refill`: it is filled from the
 *   waste, or else from the stock, as part of the move that empties it.
 * @property {number} draw @property {number} redeals
 * @property {number} base the rank of the first card of each foundation; 0: that of the first card of the stock
 * @property {boolean} bases_out whether the eight cards of that rank start the foundations
 * @property {'same-suit' | 'alternating-colour'} foundations how foundations are built up
 */

/** The first row is whole, and the others only say what differs from it. @type {ReadonlyMap<string, Game>} */
export const GAMES = new Map(/** @type {Game[]} */ (table).map((row) => [row.key, { .../** @type {Game} */ (table[0]), ...row }]))

/** @param {string} key @returns {Game} */
export function game(key) {
  const game = GAMES.get(key)
  if (!game) throw new RangeError(`there is no game called ${key}`)
  return game
}

/** @param {number | readonly number[]} numbers @param {number} columns */
const each = (numbers, columns) => (typeof numbers === 'number' ? Array(columns).fill(numbers) : numbers)

/** How many cards each column starts with. @param {Game} game @returns {readonly number[]} */
export const heightsOf = (game) => each(game.cards, game.columns)

/** How many of them are face down. @param {Game} game @returns {readonly number[]} */
export const downsOf = (game) => each(game.face_down, game.columns)

/** @param {Game} game */
export const hasFaceDown = (game) => downsOf(game).some(Boolean)

/** How many cards start on the foundations. @param {Game} game */
export const homeOf = (game) => (game.bases_out ? 8 : game.base ? 0 : 1)

/** How many cards lie in the stock when the game starts. @param {Game} game */
export const stockOf = (game) => 104 - homeOf(game) - heightsOf(game).reduce((sum, height) => sum + height, 0)

/**
 * The suits that may be placed on each other. "A different suit" is any other suit; it is not "a different colour".
 * @type {Readonly<Record<Build, (card: number, on: number) => boolean>>}
 */
export const SUITS_BUILD = {
  'same-suit': (card, on) => suitOf(card) === suitOf(on),
  'different-suit': (card, on) => suitOf(card) !== suitOf(on),
  'any-suit': () => true,
  'alternating-colour': (card, on) => isRed(card) !== isRed(on),
}

/** Whether a column whose last card is `on` takes a card. @param {Game} game @param {Build} build @param {number} card @param {number} on */
export const fits = ({ wrap }, build, card, on) =>
  rankOf(card) === (rankOf(on) - 1 || (wrap ? 13 : 0)) && SUITS_BUILD[build](card, on)

/** The rule for the cards of a sequence. @param {Game} game @returns {Build} */
export const sequenceOf = (game) => (game.unit === 'in-suit' ? 'same-suit' : game.build)

/** The height of a foundation with this card on top: 1 to 13. @param {number} card @param {number} base the rank of its first */
export const orderOf = (card, base) => ((rankOf(card) - base + 13) % 13) + 1

/**
 * The foundations of a family accept the same cards: those of one suit, or the four that start with cards of one colour. They
 * are given by their numbers: two foundations for each suit, `suit * 2` and the next one.
 * @param {Game} game @returns {readonly (readonly number[])[]}
 */
export const familiesOf = ({ foundations }) =>
  foundations === 'same-suit'
    ? [
        [0, 1],
        [2, 3],
        [4, 5],
        [6, 7],
      ]
    : [
        [4, 5, 6, 7],
        [0, 1, 2, 3],
      ]

/** The number of the family that takes a card. @param {Game} game @param {number} card @param {number} base @returns {number} */
export const familyOf = ({ foundations }, card, base) =>
  foundations === 'same-suit' ? suitOf(card) : (orderOf(card, base) + Number(isRed(card))) % 2
