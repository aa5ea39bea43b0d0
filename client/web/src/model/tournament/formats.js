/** What each format decides about results: the one place that tells them apart; as shared/fortythieves/tournament/formats.py. */
import { arenaOf } from './arena.js'
import { doubleOf, misdrawnDouble } from './double.js'
import { knockoutOf, misdrawn } from './knockout.js'
import { pointsOf } from './points.js'
import { misdrawnRobin, roundrobinOf } from './roundrobin.js'
import { swissOf } from './swiss.js'

/** @import { Done, Drawn, Entrants, Plan, Scores } from './results.js' */

/**
 *
 * @typedef {object} FormatRules
 * @property {(plan: Plan, entrants: Entrants, rounds: Done[], seats: number[]) => Scores} scoresOf
 *   `seats`: in the table
 * @property {(plan: Plan, rounds: Drawn[]) => number | null} [misdrawn] the first round whose pairs do not follow from the
 *   first draw; null: there is none
 * @property {boolean} [hasOwnRaces] its rounds are races of a few, that run beside each other: a row has a cell for each of
 *   one's own, and nobody is in two at once
 */

/** @type {Record<string, FormatRules>} */
export const FORMAT_RULES = {
  points: { scoresOf: (plan, _, rounds) => ({ scoreOf: pointsOf(plan, rounds), isVacant: false }) },
  knockout: {
    scoresOf: (plan, entrants, rounds) => knockoutOf(plan.rules ?? 1, entrants, rounds),
    misdrawn: (_, rounds) => misdrawn(rounds),
  },
  double: { scoresOf: doubleOf, misdrawn: misdrawnDouble },
  swiss: {
    scoresOf: (plan, entrants, rounds, seats) => ({ scoreOf: swissOf(plan, entrants, rounds, seats), isVacant: false }),
  },
  roundrobin: { scoresOf: roundrobinOf, misdrawn: misdrawnRobin },
  arena: {
    scoresOf: (plan, entrants, rounds) => ({ scoreOf: arenaOf(plan, entrants, rounds), isVacant: false }),
    hasOwnRaces: true,
  },
}
