/** Chooses the board of a spectator who follows the leader, and the boards that are larger when the race is close. */
import { toGo } from '../race/rivals.js'
import { isClose } from '../race/tension.js'

/** @import { Lane } from '../race/room-view.js' */

/** A board stays at least this long, in ms. */
export const STAYS = 5000
/** After this pause, in ms, a run of moves is over: a page needs up to 1.6 s to show moves that came together. */
export const PAUSE = 2000
/** A run delays the change by at most this long, in ms. */
export const PATIENCE = 10_000

/** Two boards stay large, or equal to the others, at least this long, in ms. */
export const DUEL = 10_000

/** Finds the first two racers when the end of a race is close. They do not change places when they pass each other. */
export function createDuel() {
  /** @type {{pair: readonly number[], since: number}} */
  let { pair, since } = { pair: [], since: -Infinity }
  return (/** @type {readonly Lane[]} */ lanes, /** @type {number} */ now) => {
    const isNear = isClose(lanes) || (toGo(lanes[0]) > 0 && lanes[1]?.state === 'racing')
    const wanted = isNear
      ? lanes
          .slice(0, 2)
          .map(({ seat }) => seat)
          .sort((a, b) => a - b)
      : []
    if (wanted.join() !== pair.join() && now - since >= DUEL) [pair, since] = [wanted, now]
    return pair
  }
}

/** Follows the leader of one race. */
export function createFollower() {
  let [shown, since, moves, movedAt, wanted, wantedAt] = [0, 0, 0, 0, 0, 0]
  /**
   * The board to show now.
   * @param {number} leader a seat, 0: nobody leads @param {number} first the first of the racers, to begin with
   * @param {(seat: number) => number} movesOf how many moves of a board are shown @param {number} now
   */
  return (leader, first, movesOf, now) => {
    if (!shown) {
      shown = leader || first
      since = now
      moves = movesOf(shown)
    }
    if (movesOf(shown) !== moves) [moves, movedAt] = [movesOf(shown), now]
    if (leader !== wanted) [wanted, wantedAt] = [leader, now]
    const isInRun = now - movedAt < PAUSE && now - wantedAt < PATIENCE
    if (!leader || leader === shown || now - since < STAYS || isInRun) return shown
    ;[shown, since, moves] = [leader, now, movesOf(leader)]
    return shown
  }
}
