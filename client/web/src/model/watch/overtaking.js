/** Reports racers that pass others in cards home, as it happens. */

/** With more racers than this, only a new leader is reported. */
const MOST_PAIRS = 16

/**
 * @param {readonly number[]} start the cards home of each racer
 * @returns {(i: number, home: number) => {passed: number[], leads: boolean} | null} for a racer and the new
 *   number of cards home: the passed racers (none: the first lead), and whether this racer takes the lead. Null: nothing to
 *   report. A racer passes another by having fewer cards home first, and then more
 */
export function createOvertaking(start) {
  const home = [...start]
  /** For each two racers: 1 if the first was ahead last, -1 if the second was, 0 if neither was yet. */
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
    return isNew || (passed.length && home.length <= MOST_PAIRS) ? { passed, leads: isNew } : null
  }
}
