/** Whether winnable deals are ready for a race, and what waits for them. */
import { isWinnable, starsOf } from '../game-texts.js'

/** @import { View } from '../../protocol/protocol.d.ts' */

/** @typedef {{needed: number, ready: Record<string, [one: number, two: number, three: number]>}} Ready what `/api/winnable` says */

/**
 * Whether a race would begin by itself now, and does not because deals are missing.
 *
 * @param {View} view
 */
export function waitsForDeals({ settings, race, people, tournament }) {
  if (!isWinnable(settings.deal) || tournament || !settings.auto_start || race.starts_at != null) return false
  const here = Object.values(people).filter((person) => person.here)
  return here.length >= Math.min(2, settings.seats) && here.every((person) => person.ready)
}

/** How long nothing is said of a round that is about to begin, ms: its countdown may be on the way. */
const GRACE = 1000

/**
 * The same of a round that is drawn.
 *
 * @param {View} view @param {number} now
 */
export function roundWaitsForDeals({ settings, race, tournament }, now) {
  if (!isWinnable(settings.deal) || tournament?.phase !== 'drawn' || tournament.paused || race.starts_at != null) return false
  return tournament.next_at != null && now >= tournament.next_at - 1000 * settings.countdown + GRACE
}

/** Whether a server prepares such deals. @param {Ready | null} found null: not known yet */
export const isOffered = (found) => Object.keys(found?.ready ?? {}).length > 0

/** How many deals are ready for a race. @param {Ready} found @param {{game: string, deal: string}} settings */
export function countReady({ ready }, { game, deal }) {
  const counts = ready[game] ?? [0, 0, 0]
  const stars = starsOf(deal)
  return stars ? (counts[stars - 1] ?? 0) : counts.reduce((sum, count) => sum + count, 0)
}
