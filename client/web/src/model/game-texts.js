/** The games, in order and in words. */
import { GAMES, stockOf } from '../rules/games.js'
import { t } from '../words/translate.js'

/** @import { Game } from '../rules/games.js' */

/**
 * @typedef {1 | 2 | 3} Difficulty
 */

/** How hard each game is among its family. The easiest come first, and of those the most telling. */
const DIFFICULTY = /** @type {const} */ ({
  lucas: 1,
  'little-forty': 1,
  limited: 2,
  maria: 2,
  streets: 2,
  'number-ten': 2,
  indian: 2,
  'rank-and-file': 2,
  'forty-thieves': 3,
})
const ORDER = /** @type {(keyof typeof DIFFICULTY)[]} */ (Object.keys(DIFFICULTY))

/** @param {string} key @returns {key is keyof typeof DIFFICULTY} */
const isKnown = (key) => Object.hasOwn(DIFFICULTY, key)

/** @param {string} key @returns {Difficulty} */
export const difficulty = (key) => (isKnown(key) ? DIFFICULTY[key] : 2)

/** @param {Difficulty} hard */
export const difficultyText = (hard) => t(`front.difficulty.${hard}`)

/** @returns {Game[]} from the easiest to the hardest */
export function gamesInOrder() {
  const rank = (/** @type {Game} */ { key }) => (isKnown(key) ? ORDER.indexOf(key) : ORDER.length)
  return [...GAMES.values()].sort((a, b) => rank(a) - rank(b))
}

/** Where everybody begins a game. @param {string} key */
export function dealtIn(key) {
  const game = GAMES.get(key)
  return game && { home: game.aces_out ? 8 : 0, stock: stockOf(game) }
}

/** @param {string} key */
export const gameName = (key) => (isKnown(key) ? t(`front.game.${key}`) : key)

/** What sets a game apart, in a line. @param {string} key */
export const gameLine = (key) => (isKnown(key) ? t(`front.gameLine.${key}`) : '')

// Races on secret deals that can be won: `winnable` in the settings, or `winnable-2` for those with two stars.

/** @param {string} deal as the settings have it */
export const isWinnable = (deal) => deal.startsWith('winnable')

/** How many stars a deal is to have; 0: any number. @param {string} deal as the settings have it */
export const starsOf = (deal) => (isWinnable(deal) && Number(deal.at(-1))) || 0

/** @param {number | null | undefined} stars 0 or none: nothing is known */
export const starsText = (stars) => '★'.repeat(stars ?? 0)

/** That a deal can be won, and its stars, as far as they are known. @param {number | null | undefined} stars */
export const winnableText = (stars) => t('front.winnable', { stars: starsText(stars) }).trim()
