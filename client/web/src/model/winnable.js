/** Races on secret deals that can be won. */
import { t } from '../words/index.js'

/** @typedef {import('./protocol.d.ts').Settings['deal']} Deal as the settings have it */
/** @typedef {{needed: number, ready: Record<string, [one: number, two: number, three: number]>}} Ready what `/api/winnable` says */

/** What the settings may ask for: deals with any number of stars, or with one, two or three. */
export const WINNABLE = /** @type {const} */ (['winnable', 'winnable-1', 'winnable-2', 'winnable-3'])

/** @param {Deal} deal @returns {deal is typeof WINNABLE[number]} */
export const isWinnable = (deal) => WINNABLE.some((one) => one === deal)

/** How many stars a deal is to have; 0: any number. @param {Deal} deal */
export const starsOf = (deal) => Number(/^winnable-([123])$/.exec(deal)?.[1] ?? 0)

/** That a deal can be won, and its stars, as far as they are known. @param {number | null | undefined} stars */
export const winnableText = (stars) => t('front.winnable', { stars: String(stars ?? 0) })

/** Whether a server prepares such deals. @param {Ready | null} found null: not known yet */
export const isOffered = (found) => Object.keys(found?.ready ?? {}).length > 0

/** How many deals are ready for a race. @param {Ready} found @param {{game: string, deal: Deal}} settings */
export function countReady({ ready }, { game, deal }) {
  const counts = ready[game] ?? [0, 0, 0]
  const stars = starsOf(deal)
  return stars ? (counts[stars - 1] ?? 0) : counts.reduce((sum, count) => sum + count, 0)
}
