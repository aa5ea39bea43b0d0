/** The results of a challenge, and the lane of the challenger in a try. */

/** @import { Challenge, TryRow } from '../../protocol/protocol.d.ts' */
/** @import { Lane } from './room-view.js' */

/** The order of results, as on the server (`fortythieves.rules.ranking`). @param {TryRow} row */
const orderOf = ([, , state, ms, home, moves, reached]) => [state === 'solved' ? ms : Infinity, -home, reached, moves]

/** @param {number[]} a @param {number[]} b */
const compare = (a, b) => a.map((one, i) => (one === b[i] ? 0 : one - b[i])).find((gap) => gap !== 0) ?? 0

/** The best results in order, equal ones with one place; `seat`: the number of the try. @param {Challenge} challenge @returns {Lane[]} */
export function lanesOf({ best = {} }) {
  const rows = Object.entries(best).map(([number, row]) => ({ number: Number(number), row, order: orderOf(row) }))
  rows.sort((a, b) => compare(a.order, b.order) || a.number - b.number)
  return rows.map(({ number, row, order }) => ({
    ...laneOf(number, row),
    place: rows.findIndex((other) => compare(other.order, order) === 0) + 1,
  }))
}

/** @param {number} seat @param {TryRow} row @returns {Lane} */
const laneOf = (seat, [name, , state, ms, home, moves]) => ({
  ...{ seat, name, state, ms, home, moves, place: null },
  ...{ stock: null, awayAt: null, gaveUpAt: null, bot: false },
})

/** The seat of the challenger's lane in a try, in which no other racer is. */
export const GHOST = 100_001

/**
 * The challenger as a racer `ms` after the start: only the cards home are known.
 * @param {Pick<Challenge, 'ghost' | 'result'>} challenge @param {number} ms @param {number} dealt cards home at the start
 * @returns {Lane}
 */
export function ghostLane({ ghost, result }, ms, dealt) {
  const lane = laneOf(GHOST, result)
  if (ms >= result[3]) return lane
  const home = ghost.filter(([at]) => at <= ms).pop()?.[1] ?? dealt
  return { ...lane, state: 'racing', ms: null, home, moves: 1 }
}
