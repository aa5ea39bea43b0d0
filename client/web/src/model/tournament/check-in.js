/** Check-in before the first round: its state, and the entrants present. Pure; the server decides (core/entrants.py). */

/** @import { Tournament } from '../../protocol/protocol.d.ts' */

/**
 * @typedef {object} CheckIn
 * @property {'unknown' | 'later' | 'open' | 'over'} is `unknown`: the first round has no time yet
 * @property {number} at when it opens or ends; 0: not known
 */

/** @param {Tournament} tournament @param {number} now @returns {CheckIn | null} null: there is none */
export function checkInOf({ check_in: asked, round }, now) {
  if (!asked || round > 0) return null
  if (asked.over) return { is: 'over', at: 0 }
  if (asked.opens == null || asked.ends == null) return { is: 'unknown', at: 0 }
  return now < asked.opens ? { is: 'later', at: asked.opens } : { is: 'open', at: asked.ends }
}

/** Whether an entrant has checked in. @param {Tournament} tournament @param {number} seat */
export const isCheckedIn = ({ check_in: asked }, seat) => asked?.here?.[seat] === true

/** The entrants who are in and have checked in, or have not. @param {Tournament} tournament @returns {{here: number[], missing: number[]}} */
export function presenceOf(tournament) {
  const { check_in: asked, round, entrants = {} } = tournament
  if (!asked || round > 0) return { here: [], missing: [] }
  const all = Object.keys(entrants).map(Number)
  return {
    here: all.filter((seat) => entrants[seat].state === 'in' && isCheckedIn(tournament, seat)),
    missing: all.filter((seat) => isMissing(tournament, seat)),
  }
}

/** @param {Tournament} tournament @param {number} seat */
function isMissing({ check_in: asked, entrants = {} }, seat) {
  const { state, reason } = entrants[seat]
  return (state === 'in' && asked?.here?.[seat] !== true) || (state === 'withdrawn' && reason === 'check_in')
}
