/** The cross table of a printed wall chart: all results, and the score after each round. Pure. */
import { countedRounds, roundFor } from './rounds.js'

/** @import { Tournament } from '../../protocol/protocol.d.ts' */

/**
 * @typedef {object} Cell a round of an entrant
 * @property {'raced' | 'bye' | 'wait' | 'half' | 'out'} is `half`: a half-point bye
 * @property {number} met the number of the opponent in the table, 0: none
 * @property {number | null} place among all racers
 * @property {number | null} points from the round; null: the round gives none, or it is not known yet
 * @property {number} total the score after the round
 * @typedef {object} CrossRow
 * @property {number} number of the row, from 1
 * @property {number} seat @property {number | null} place @property {number} score
 * @property {Cell[]} cells one for each round
 */

/**
 * A row for each entrant in the standings.
 * @param {Tournament} tournament @param {'place' | 'entry'} order by place, or by seat number, which never changes
 * @returns {CrossRow[]}
 */
export function crossTable(tournament, order) {
  const rounds = countedRounds(tournament)
  const standings = [...(tournament.standings ?? [])]
  if (order === 'entry') standings.sort((a, b) => a[1] - b[1])
  const numberOf = new Map(standings.map(([, seat], at) => [seat, at + 1]))
  return standings.map(([place, seat, score], at) => {
    let total = 0
    const cells = rounds.map(([, round]) => {
      const was = roundFor(round, seat)
      const result = was.is === 'raced' ? was.result : null
      // No result has the points of a bye: one point in a Swiss, and one level in a bracket.
      const points = result ? result[5] : was.is === 'bye' ? 1 : was.is === 'half' ? 0.5 : null
      total += points ?? 0
      return {
        is: /** @type {Cell['is']} */ (was.is === 'ahead' ? 'out' : was.is),
        met: 'met' in was ? (numberOf.get(was.met) ?? 0) : 0,
        place: result ? result[0] : null,
        points,
        total,
      }
    })
    return { number: at + 1, seat, place, score, cells }
  })
}
