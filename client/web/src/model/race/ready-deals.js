/** Whether winnable deals are ready for a race, and whether a race waits for them. */
import { isWinnable, starsOf } from '../game-texts.js'

/** @import { View } from '../../protocol/protocol.d.ts' */

/** @typedef {{needed: number, ready: Record<string, [one: number, two: number, three: number]>}} Ready the answer of `/api/winnable` */

/** Whether a race would start automatically now if its deals were ready. @param {View} view */
export function waitsForDeals({ settings, race, people, tournament }) {
  if (!isWinnable(settings.deal) || tournament || !settings.auto_start || race.starts_at != null) return false
  const here = Object.values(people).filter((person) => person.here)
  return here.length >= Math.min(2, settings.seats) && here.every((person) => person.ready)
}

/** How long to wait before reporting a late round, in ms: its countdown may be on the way. */
const LATE_AFTER = 1000

/** The same for a drawn round. @param {View} view @param {number} now */
export function roundWaitsForDeals({ settings, race, tournament }, now) {
  if (!isWinnable(settings.deal) || tournament?.phase !== 'drawn' || tournament.paused || race.starts_at != null) return false
  return tournament.next_at != null && now >= tournament.next_at - 1000 * settings.countdown + LATE_AFTER
}

/**
 * Whether the server prepares winnable deals, of a game if one is given.
 * @param {Ready | null} found null: unknown yet @param {string | undefined} [game]
 */
export const isOffered = (found, game) =>
  game ? Object.hasOwn(found?.ready ?? {}, game) : Object.keys(found?.ready ?? {}).length > 0

/** How many deals are ready for a race. @param {Ready} found @param {{game: string, deal: string}} settings */
export function countReady({ ready }, { game, deal }) {
  const counts = ready[game] ?? [0, 0, 0]
  const stars = starsOf(deal)
  return stars ? (counts[stars - 1] ?? 0) : counts.reduce((sum, count) => sum + count, 0)
}
