/** The games: one row each, from the same table that the server reads. */
import table from '../../../../shared/fortythieves/rules/games.json' with { type: 'json' }
import { isRed, suitOf } from './cards.js'

/**
 * @typedef {object} Game
 * @property {string} key @property {string} name @property {number} columns
 * @property {number} cards how many are dealt to each column.
 * @property {number} face_down how many of them, from the bottom, lie face down.
 * @property {'same-suit' | 'different-suit' | 'alternating-colour'} build
 * @property {'card' | 'sequence'} unit the cards that move together
 * @property {number} draw @property {number} redeals
 * @property {boolean} aces_out whether the aces start the foundations
 */

/** @type {ReadonlyMap<string, Game>} */
export const GAMES = new Map(/** @type {Game[]} */ (table).map((row) => [row.key, row]))

/** @param {string} key @returns {Game} */
export function game(key) {
  const game = GAMES.get(key)
  if (!game) throw new RangeError(`there is no game called ${key}`)
  return game
}

/** How many cards lie in the stock when the game starts. @param {Game} game */
export const stockOf = (game) => 104 - game.columns * game.cards - (game.aces_out ? 8 : 0)

/**
 * The suits that may be placed on each other. "A different suit" is any other suit; it is not "a different colour".
 * @type {Readonly<Record<Game['build'], (card: number, on: number) => boolean>>}
 */
export const SUITS_BUILD = {
  'same-suit': (card, on) => suitOf(card) === suitOf(on),
  'different-suit': (card, on) => suitOf(card) !== suitOf(on),
  'alternating-colour': (card, on) => isRed(card) !== isRed(on),
}
