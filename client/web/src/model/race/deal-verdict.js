/** What the proof of a deal comes to, in a word. */

/** @typedef {'verified' | 'kept' | 'drawn' | 'drawnUnseen' | 'broken' | 'other' | 'unpromised' | 'unchosen'} Result */

const RIGHT = /** @type {readonly Result[]} */ (['verified', 'kept', 'drawn', 'drawnUnseen'])

/** @param {Result} result of a check */
export const isRight = (result) => RIGHT.includes(result)

/**
 * `unproved`: the server alone chose the cards, because no racer gave a number.
 * @param {{result: Result | null, given: number, objections: number}} found result: null while it is checked; given: the numbers of
 *   racers; objections: how often the proof differs from what this browser remembers
 * @returns {'checking' | 'fair' | 'unproved' | 'wrong'}
 */
export function verdictOf({ result, given, objections }) {
  if (objections || (result && !isRight(result))) return 'wrong'
  if (!result) return 'checking'
  return given ? 'fair' : 'unproved'
}
