/** Races on secret deals that can be won: `winnable` in the settings, or `winnable-2` for those with two stars. */
import { t } from '../words/index.js'

/** @param {string} deal as the settings have it */
export const isWinnable = (deal) => deal.startsWith('winnable')

/** How many stars a deal is to have; 0: any number. @param {string} deal as the settings have it */
export const starsOf = (deal) => (isWinnable(deal) && Number(deal.at(-1))) || 0

/** @param {number | null | undefined} stars 0 or none: nothing is known */
export const starsText = (stars) => '★'.repeat(stars ?? 0)

/** That a deal can be won, and its stars, as far as they are known. @param {number | null | undefined} stars */
export const winnableText = (stars) => t('front.winnable', { stars: starsText(stars) }).trim()
