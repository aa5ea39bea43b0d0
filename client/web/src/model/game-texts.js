/** The order of the games, and their texts. */
import { GAMES, homeOf, stockOf } from '../rules/games.js'
import { wonOf } from '../solver/measured.js'
import { t } from '../words/translate.js'

/** @import { Game } from '../rules/games.js' */

/** @typedef {1 | 2 | 3} Difficulty */

/** The games that are offered first, from the easiest on, with their difficulty. Of equally hard games, the most typical is first. */
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

/** Other games are easy if the solver wins nearly all deals, and hard if it wins few. @param {string} key @returns {Difficulty} */
export const difficulty = (key) => (isKnown(key) ? DIFFICULTY[key] : wonOf(key) >= 90 ? 1 : wonOf(key) >= 35 ? 2 : 3)

/** @param {Difficulty} hard */
export const difficultyText = (hard) => t(`front.difficulty.${hard}`)

/** @returns {Game[]} first those that are offered first; the others by the number of deals that can be won */
export function gamesInOrder() {
  const rank = (/** @type {Game} */ { key }) => (isKnown(key) ? ORDER.indexOf(key) : 200 - wonOf(key))
  return [...GAMES.values()].sort((a, b) => rank(a) - rank(b))
}

/** The games that are offered first, and the chosen one if it is another. @param {string} chosen */
export const firstGames = (chosen) => gamesInOrder().filter(({ key }) => isKnown(key) || key === chosen)

/** The number of cards home and in the stock at the start of a game. @param {string} key */
export function dealtIn(key) {
  const game = GAMES.get(key)
  return game && { home: homeOf(game), stock: stockOf(game) }
}

/** @param {string} key */
export const gameName = (key) => (isKnown(key) ? t(`front.game.${key}`) : (GAMES.get(key)?.name ?? key))

/** The special feature of a game, in a line. @param {string} key */
export const gameLine = (key) => (isKnown(key) ? t(`front.gameLine.${key}`) : '')

/**
 * The game of the lesson for a game: another one if the lesson does not fit. It needs columns for its cards, and an empty one
 * that takes a card.
 * @param {string} key
 */
export function lessonOf(key) {
  const game = GAMES.get(key)
  const isFit = game?.base === 1 && game.foundations === 'same-suit' && game.empty === 'any'
  return isFit && game.columns > 4 && Number(game.cards) > 2 ? key : 'forty-thieves'
}

// Races on secret winnable deals: `winnable` in the settings, or `winnable-2` for two stars.

/** @param {string} deal from the settings */
export const isWinnable = (deal) => deal.startsWith('winnable')

/** The required number of stars of a deal; 0: any number. @param {string} deal from the settings */
export const starsOf = (deal) => (isWinnable(deal) && Number(deal.at(-1))) || 0

/** @param {number | null | undefined} stars 0 or none: unknown */
export const starsText = (stars) => '★'.repeat(stars ?? 0)

/** The label of a winnable deal, with its stars if they are known. @param {number | null | undefined} stars */
export const winnableText = (stars) => t('front.winnable', { stars: starsText(stars) }).trim()
