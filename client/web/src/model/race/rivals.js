/** The player and the rivals: their wins, and how far they are ahead. */

/** @import { View } from '../../protocol/protocol.d.ts' */

/** @typedef {{seat: number, name: string, at: number, ms: number}} Win at: by the server's clock; ms: from the start */

/** The wins of all other racers, the earliest first. @param {View} view @param {number} seat of the player @returns {Win[]} */
export const rivalWins = ({ race }, seat) =>
  Object.entries(race.racers ?? {})
    .filter(([one, { state }]) => state === 'solved' && Number(one) !== seat)
    .map(([one, { name, finished_at }]) => ({ seat: Number(one), name, at: finished_at ?? 0 }))
    .map((win) => ({ ...win, ms: win.at - (race.starts_at ?? 0) }))
    .sort((a, b) => a.at - b.at)

/** How far a racer is ahead of another: `+6`, `−3`, `=`. @param {number} home @param {number} other */
export const gapText = (home, other) => (home === other ? '=' : `${home > other ? '+' : '−'}${Math.abs(home - other)}`)
