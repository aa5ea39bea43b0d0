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

/**
 * Those that decide, in their order.
 *
 * @template {string} T
 * @param {{format: string, tiebreaks?: T[] | null | undefined}} plan
 * @returns {(T | Tiebreak)[]}
 */
export const tiebreaksOf = ({ format, tiebreaks }) => tiebreaks ?? DEFAULT[format]
