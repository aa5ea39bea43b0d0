/** Who stands on which step of a podium. Pure. */

/** @template {{place: number | null}} Row @param {readonly Row[]} rows in order @returns {Row[][]} the steps, best first */
export function stepsOf(rows) {
  const best = rows.filter(({ place }) => place !== null && place <= 3)
  // Equal places stand equally high beside each other, unless more than three have to stand there.
  if (best.length <= 3) return best.map((row) => [row])
  return [1, 2, 3].map((place) => best.filter((row) => row.place === place)).filter(({ length }) => length)
}
