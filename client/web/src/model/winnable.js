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

/**
 * Whether a race would begin by itself now, and does not because deals are missing.
 *
 * @param {import('./room-view.js').View} view
 */
export function waitsForDeals({ settings, race, people }) {
  if (!isWinnable(settings.deal) || !settings.auto_start || race.starts_at != null) return false
  const here = Object.values(people).filter((person) => person.here)
  return here.length >= Math.min(2, settings.seats) && here.every((person) => person.ready)
}

/** How long nothing is said of a round that is about to begin, ms: its countdown may be on the way. */
const GRACE = 1000

/**
 * The same of a round that is drawn.
 *
 * @param {import('./room-view.js').View} view @param {number} now
 */
export function roundWaitsForDeals({ settings, race, tournament }, now) {
  if (!isWinnable(settings.deal) || tournament?.phase !== 'drawn' || tournament.paused || race.starts_at != null) return false
  return tournament.next_at != null && now >= tournament.next_at - 1000 * settings.countdown + GRACE
}

/** Whether a server prepares such deals. @param {Ready | null} found null: not known yet */
export const isOffered = (found) => Object.keys(found?.ready ?? {}).length > 0

/** How many deals are ready for a race. @param {Ready} found @param {{game: string, deal: Deal}} settings */
export function countReady({ ready }, { game, deal }) {
  const counts = ready[game] ?? [0, 0, 0]
  const stars = starsOf(deal)
  return stars ? (counts[stars - 1] ?? 0) : counts.reduce((sum, count) => sum + count, 0)
}
