/** The player and the rivals: their wins, and how far they are ahead. */
import { CARDS } from '../../protocol/constants.js'

/** @import { Lane } from './room-view.js' */
/** @import { View } from '../../protocol/protocol.d.ts' */

/** @typedef {{seat: number, name: string, at: number, ms: number}} Win at: by the server's clock; ms: from the start */

/** The wins of all other racers, the earliest first. @param {View} view @param {number} seat of the player @returns {Win[]} */
export const rivalWins = ({ race }, seat) =>
  Object.entries(race.racers ?? {})
    .filter(([one, { state }]) => state === 'solved' && Number(one) !== seat)
    .map(([one, { name, finished_at }]) => ({ seat: Number(one), name, at: finished_at ?? 0 }))
    .map((win) => ({ ...win, ms: win.at - (race.starts_at ?? 0) }))
    .sort((a, b) => a.at - b.at)

/** A racer with so few cards left may win at any time. */
const NEAR = 10

/** The cards that a racer needs to win, if they are few; else 0. @param {Pick<Lane, 'state' | 'home'> | undefined} lane */
export const toGo = (lane) => (lane?.state === 'racing' && lane.home >= CARDS - NEAR ? CARDS - lane.home : 0)

/** How far a racer is ahead of another: `+6`, `−3`, `=`. @param {number} home @param {number} other */
export const gapText = (home, other) => (home === other ? '=' : `${home > other ? '+' : '−'}${Math.abs(home - other)}`)
