/** Which tie-breaks there are, and which decide; the same as in shared/fortythieves/tournament/plan.py. Pure. */

/** Those of each format that a host can choose from. */
export const TIEBREAKS = /** @type {const} */ ({
  points: ['wins', 'solved', 'home', 'best', 'last'],
  knockout: ['beaten'],
  double: ['beaten'],
  swiss: ['buchholz', 'buchholz_cut1', 'sonneborn', 'direct', 'wins', 'home'],
  roundrobin: ['direct', 'sonneborn', 'wins', 'home'],
  arena: ['wins', 'solved', 'home'],
})

/** @typedef {(typeof TIEBREAKS)[keyof typeof TIEBREAKS][number]} Tiebreak */

/** @type {Record<string, Tiebreak[]>} */
const DEFAULT = {
  points: ['wins', 'solved', 'home'],
  knockout: ['beaten'],
  double: ['beaten'],
  swiss: ['wins', 'buchholz', 'direct', 'sonneborn', 'home'],
  roundrobin: ['direct', 'sonneborn', 'wins', 'home'],
  arena: ['wins', 'solved', 'home'],
}

/** @type {Tiebreak[]} */
const OLD_SWISS = ['buchholz', 'sonneborn', 'wins', 'home']

/**
 * Those that decide, in their order.
 *
 * @template {string} T
 * @param {{format: string, tiebreaks?: T[] | null | undefined, rules?: number | undefined}} plan
 * @returns {(T | Tiebreak)[]}
 */
export function tiebreaksOf({ format, tiebreaks, rules = 1 }) {
  if (tiebreaks) return tiebreaks
  return format === 'swiss' && rules === 1 ? OLD_SWISS : DEFAULT[format]
}
