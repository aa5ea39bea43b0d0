/** The headline of a racer at the end of a round. Pure. */
import { say } from '../../words/translate.js'
import { dealtIn } from '../game-texts.js'
import { nameOf, roundFor } from './rounds.js'
import { resultText } from './words.js'

/** @import { RoundResult, Tournament } from '../../protocol/protocol.d.ts' */

/** Within a pair. @param {RoundResult} result @param {RoundResult | undefined} other */
export const inPair = ([place], other) => (place === 1 ? (other?.[0] === 1 ? 'tied' : 'won') : place === 2 ? 'lost' : null)

/** The time of a win, or the cards on the foundations. @param {RoundResult} result */
const short = (result) => (result[1] === 'solved' || result[2] === 0 ? resultText(result) : String(result[2]))

/**
 * The result, and the place for a medal.
 * @param {Tournament} tournament @param {number} number of the round @param {number} seat
 */
export function momentOf(tournament, number, seat) {
  const round = tournament.rounds?.[number]
  const own = round && roundFor(round, seat)
  if (own?.is !== 'raced') return { saying: say('race.ready.over'), medal: null }
  const { met, result } = own
  const other = round.results?.[met]
  const how = other && inPair(result, other)
  if (how) {
    const results = { mine: short(result), theirs: short(other) }
    const name = { name: nameOf(tournament, met) }
    const words = how !== 'tied' && results.mine === results.theirs ? /** @type {const} */ (`${how}Tie`) : how
    return { saying: say(`tournament.moment.${words}`, { name, ...results }), medal: how === 'won' ? 1 : null }
  }
  const [place] = result
  const dealt = dealtIn(round.game)?.home ?? 0
  const isNone = Object.values(round.results ?? {}).every(([, , home]) => home <= dealt)
  if (place === null || met || isNone) return { saying: say('race.ready.over'), medal: null }
  return { saying: say('tournament.moment.place', { place, result: resultText(result) }), medal: place }
}
