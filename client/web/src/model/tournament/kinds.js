/** What tells the formats apart on all pages; the same as in shared/fortythieves/tournament/plan.py. Pure. */

/**
 * @typedef {object} Kind
 * @property {boolean} hasPairs entrants are compared in pairs, and not all with all
 * @property {boolean} hasSchedule all rounds follow from the first draw: their number is not chosen, and nobody enters late
 */

/** @type {Record<import('../room-view.js').Plan['format'], Kind>} */
export const KINDS = {
  points: { hasPairs: false, hasSchedule: false },
  knockout: { hasPairs: true, hasSchedule: true },
  swiss: { hasPairs: true, hasSchedule: false },
  roundrobin: { hasPairs: true, hasSchedule: true },
}

/** How many of each group go on. @param {{groups?: number, advance?: number | null}} plan */
export const advancing = ({ groups = 1, advance = null }) => advance ?? (groups > 1 ? 2 : 0)
