/** @import { View } from './protocol.d.ts' */

/** @typedef {{seat: number, name: string, at: number, ms: number}} Win at: by the server's clock; ms: from the start */

/**
 * The wins of everybody but one's own, the first one first.
 *
 * @param {View} view @param {number} seat one's own
 * @returns {Win[]}
 */
export const rivalWins = ({ race }, seat) =>
  Object.entries(race.racers ?? {})
    .filter(([one, { state }]) => state === 'solved' && Number(one) !== seat)
    .map(([one, { name, finished_at: at }]) => ({
      seat: Number(one),
      name,
      at: at ?? 0,
      ms: (at ?? 0) - (race.starts_at ?? 0),
    }))
    .sort((a, b) => a.at - b.at)
