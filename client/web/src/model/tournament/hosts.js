/** Whether a tournament waits for an absent host. Pure. */

/** @import { View } from '../../protocol/protocol.d.ts' */

/** Whether the next round, or an arena, waits for a host, and all hosts are away. @param {View} view */
export function waitsForAbsentHost({ host, people, tournament }) {
  if (!tournament) return false
  const { phase, paused, next_at: at, co_hosts: coHosts } = tournament
  const waits = paused || (at == null && (phase === 'entry' || phase === 'pause'))
  return waits && phase !== 'over' && ![host ?? 0, ...coHosts].some((seat) => people[seat]?.here)
}
