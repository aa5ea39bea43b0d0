/** The racers on each step of a podium. Pure. */

/** @template {{place: number | null}} Row @param {readonly Row[]} rows in order @returns {Row[][]} the steps, best first */
export function stepsOf(rows) {
  const best = rows.filter(({ place }) => place !== null && place <= 3)
  // Up to three racers have a step each, equal places next to each other. With more racers there is one step for each place.
  if (best.length <= 3) return best.map((row) => [row])
  return [1, 2, 3].map((place) => best.filter((row) => row.place === place)).filter(({ length }) => length)
}
