/**
 * Whether those who watch wait for a racer who makes no move, and whether that racer has agreed to be passed (PROTOCOL.md,
 * "Standing aside").
 */

/**
 * @import { View } from './protocol.d.ts'
 * @import { Progress } from './room-view.js'
 */

/** As PROTOCOL.md has it: nobody who has made a move within so many ms is passed by. */
export const IDLE = 90_000

/** @param {Record<string, Progress>} rows @param {number | string} seat */
const movesOf = (rows, seat) => rows[seat]?.moves ?? 0

/** Whether a racer stands aside: any move ends that. @param {View} view @param {number} seat @param {number} moves */
export const standsAside = ({ race }, seat, moves) => race.aside?.[seat] === moves

/**
 * Whether the boards are shown only as far as one's own, which all others have passed.
 *
 * @param {View} view @param {Record<string, Progress>} rows of the others @param {number} seat @param {number} moves one's own
 */
export function holdsBack({ race, settings, tournament }, rows, seat, moves) {
  const { watch, watching, late } = settings
  if (tournament || watch !== 'frontier' || watching === 'nobody' || late === 'join') return false
  const others = Object.entries(race.racers ?? {}).filter(([one]) => Number(one) !== seat)
  const racing = others.filter(([one, { state }]) => state === 'racing' && race.aside?.[one] !== movesOf(rows, one))
  return others.length > 0 && racing.every(([one]) => movesOf(rows, one) > moves)
}
