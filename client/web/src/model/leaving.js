import { racerAt } from './room-view.js'

/** @import { View } from './protocol.d.ts' */

/**
 * What somebody leaves behind who goes elsewhere: a race of their own that is on, and others who are in the room.
 *
 * @typedef {{code: string, races: boolean, others: number}} LeftBehind
 */

/**
 * Null: nobody would miss them, and nothing would be lost.
 *
 * @param {View | null} view @param {number} seat 0: a watcher
 * @returns {LeftBehind | null}
 */
export function leftBehind(view, seat) {
  if (!view || !seat || view.tournament?.phase === 'over') return null
  const { code, people, race } = view
  const races = race.starts_at != null && race.over_at == null && racerAt(view, seat)?.state === 'racing'
  const others = Object.entries(people).filter(([who, { bot, here }]) => here && !bot && Number(who) !== seat).length
  return races || others > 0 ? { code, races, others } : null
}
