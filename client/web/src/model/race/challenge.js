/** The results of a challenge, and the lane of the challenger in a try. */

import { places } from '../../rules/ranking.js'
import { t } from '../../words/translate.js'
import { finishText } from '../format.js'
import { resultOf } from './result-texts.js'
import { byProgress } from './room-view.js'
import { homeText } from './rule-texts.js'

/** @import { Challenge, TryRow } from '../../protocol/protocol.d.ts' */
/** @import { Lane } from './room-view.js' */

/** `4:54.2`, or `43 cards home`. @param {TryRow} row */
export const rowText = ([, , state, ms, home]) => (state === 'solved' ? finishText(ms) : homeText(home))

/** The best results in order, equal ones with one place; `seat`: the number of the try. @param {Challenge} challenge @returns {Lane[]} */
export function lanesOf({ best = {} }) {
  const rows = Object.entries(best).map(([number, row]) => ({ number: Number(number), row }))
  const results = rows.map(({ number, row: [, , state, when, home, moves, reached_at] }) => {
    return /** @type {const} */ ([number, { solved: state === 'solved', when, home, moves, reached_at }])
  })
  const placed = places(new Map(results))
  return rows
    .map(({ number, row }) => ({ ...laneOf(number, row), place: placed.get(number) ?? 0 }))
    .sort((a, b) => a.place - b.place)
}

/** @param {number} seat @param {TryRow} row @returns {Lane} */
const laneOf = (seat, [name, , state, ms, home, moves]) => ({
  ...{ seat, name, state, ms, home, moves, place: null },
  ...{ stock: null, awayAt: null, gaveUpAt: null, bot: false },
})

/** The seat of the challenger's lane in a try, in which no other racer is. */
const GHOST = 100_001

/**
 * The challenger as a racer `ms` after the start: only the cards home are known.
 * @param {{ghost: Challenge['ghost'], result: TryRow}} challenge @param {number} ms @param {number} dealt cards home at the start
 * @returns {Lane}
 */
export function ghostLane({ ghost, result }, ms, dealt) {
  const lane = { ...laneOf(GHOST, result), since: result[6] }
  if (ms >= result[3]) return lane
  const home = ghost.filter(([at]) => at <= ms).pop()?.[1] ?? dealt
  return { ...lane, state: 'racing', ms: null, home, moves: 1 }
}

/**
 * A try that is over, and the challenger: both with their places, the first before the second, and a headline about them.
 * @param {Lane} tried @param {Lane} rival
 */
export function against(tried, rival) {
  const isBehind = (/** @type {Lane} */ a, /** @type {Lane} */ b) =>
    (byProgress({ ...a, seat: 0 }, { ...b, seat: 0 }) || (a.state === 'solved' ? 0 : (a.since ?? 0) - (b.since ?? 0))) > 0
  const own = { ...tried, place: isBehind(tried, rival) ? 2 : 1 }
  const other = { ...rival, place: isBehind(rival, tried) ? 2 : 1 }
  const inCards = own.state !== 'solved' && other.state !== 'solved'
  const [mine, theirs] = [own, other].map((lane) => (inCards ? String(lane.home) : resultOf(lane)))
  const how = own.place === other.place ? 'tie' : own.place === 1 ? 'ahead' : 'behind'
  const words = how !== 'tie' && mine === theirs ? /** @type {const} */ (`${how}Tie`) : how
  return {
    lanes: own.place === 2 ? [other, own] : [own, other],
    title: t(`challenge.against.${words}`, { name: rival.name, own: mine, other: theirs }),
  }
}
