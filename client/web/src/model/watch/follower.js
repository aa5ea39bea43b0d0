/** Chooses the board of a spectator who follows the leader. */

/** A board stays at least this long, in ms. */
export const STAYS = 5000
/** After this pause, in ms, a run of moves is over: a page needs up to 1.6 s to show moves that came together. */
export const PAUSE = 2000
/** A run delays the change by at most this long, in ms. */
export const PATIENCE = 10_000

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
