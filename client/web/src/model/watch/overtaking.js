/** Who passes whom in cards home, told as it happens. */

/** With more racers than this, only the lead is worth telling. */
const MOST_PAIRS = 16

/**
 * @param {readonly number[]} start the cards home of each racer
 * @returns {(i: number, home: number) => {passed: number[], leads: boolean} | null} for a racer who now has so many: whom
 *   that passes, if it is worth telling, and whether it leads. Who passes had fewer, and then has more
 */
export function createOvertaking(start) {
  const home = [...start]
  /** For each two racers, who was ahead last; neither yet: 0. */
  const ahead = home.map((mine) => Int8Array.from(home, (other) => Math.sign(mine - other)))
  const most = Math.max(...home)
  let leader = home.indexOf(most) === home.lastIndexOf(most) ? home.indexOf(most) : -1

  return (i, now) => {
    home[i] = now
    const passed = home.flatMap((other, j) => {
      const order = Math.sign(now - other)
      if (j === i || !order || ahead[i][j] === order) return []
      const was = ahead[i][j]
      ahead[i][j] = order
      ahead[j][i] = -order
      return order > 0 && was < 0 ? [j] : []
    })
    const leads = home.every((other, j) => j === i || other < now)
    const isNew = leads && leader !== i
    if (leads) leader = i
    return passed.length && (isNew || home.length <= MOST_PAIRS) ? { passed, leads: isNew } : null
  }
}
