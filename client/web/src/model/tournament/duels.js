/** The pairs of a round and which racer leads, for the projector and for printed sheets. Pure. */

/** @import { RoundResult, Tournament } from '../../protocol/protocol.d.ts' */
/** @import { Lane } from '../race/room-view.js' */

/**
 * @typedef {object} DuelSide
 * @property {number} seat @property {Lane | null} lane null: not racing just now
 * @property {RoundResult | null} result of the round, once there is one
 * @property {boolean} ahead of the other, if that is known
 * @typedef {[DuelSide, DuelSide]} Duel
 */

/** Whether one is ahead of the other in a race. @param {Lane | null} one @param {Lane | null} other */
function leads(one, other) {
  if (!one || !other) return false
  const [wonOne, wonOther] = [one, other].map(({ state }) => state === 'solved')
  if (wonOne && wonOther) return (one.ms ?? 0) < (other.ms ?? 0)
  return wonOne || (!wonOther && one.home > other.home)
}

/**
 * The duels of the current or last round, in the order of the draw. During a race, only the duels in it.
 * @param {Tournament} tournament @param {Lane[]} [lanes] of the race that is on @returns {Duel[]}
 */
export function duelsOf({ rounds, round }, lanes = []) {
  const { pairs = [], results = {} } = rounds?.[round] ?? {}
  const laneOf = new Map(lanes.map((lane) => [lane.seat, lane]))
  // During a further race of tied pairs, all others of the round are over.
  const racing = pairs.filter((pair) => pair.some((seat) => laneOf.has(seat)))
  return (racing.length ? racing : pairs).map(([a, b]) => {
    const side = (/** @type {number} */ seat, /** @type {number} */ met) => {
      const [lane, other] = [laneOf.get(seat) ?? null, laneOf.get(met) ?? null]
      const [result, others] = [results[seat] ?? null, results[met] ?? null]
      const won = result?.[0] === 1 && others?.[0] !== 1
      return { seat, lane, result, ahead: lane ? leads(lane, other) : won }
    }
    return [side(a, b), side(b, a)]
  })
}

/**
 * The duels by their bracket, the winners' bracket first. null: all are of one kind.
 * @param {Tournament} tournament @param {Lane[]} [lanes] of the race that is on
 * @returns {{bracket: 'winners' | 'losers' | null, duels: Duel[]}[]}
 */
export function duelsByBracket(tournament, lanes) {
  const duels = duelsOf(tournament, lanes)
  const lost = new Set(tournament.rounds?.[tournament.round]?.lost)
  const isLow = (/** @type {Duel} */ sides) => sides.every(({ seat }) => lost.has(seat))
  const [up, low] = [duels.filter((duel) => !isLow(duel)), duels.filter(isLow)]
  if (!up.length || !low.length) return [{ bracket: null, duels }]
  return [
    { bracket: 'winners', duels: up },
    { bracket: 'losers', duels: low },
  ]
}

/**
 * The entrants without a race in the current or last round.
 * @param {Tournament} tournament @returns {{seat: number, is: 'bye' | 'wait' | 'half'}[]}
 */
export function byesOf({ rounds, round }) {
  const { byes = [], half_byes: halves = [], lost } = rounds?.[round] ?? {}
  return [
    ...byes.map((seat) => /** @type {const} */ ({ seat, is: lost ? 'wait' : 'bye' })),
    ...halves.map((seat) => /** @type {const} */ ({ seat, is: 'half' })),
  ]
}
