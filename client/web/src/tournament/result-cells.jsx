/** The cells of a result, on the page and on paper. */
import { finishText } from '../model/format.js'
import { stateText } from '../model/race/rule-texts.js'
import { scoreText } from '../model/tournament/words.js'

/** @import { RoundResult } from '../protocol/protocol.d.ts' */

/** The end of a race for a racer, and its points. @param {{result: RoundResult}} props */
export const ResultCells = ({ result: [, state, home, moves, ms, points] }) => (
  <>
    <td>{stateText(state)}</td>
    <td>{state === 'solved' && ms != null ? finishText(ms) : '–'}</td>
    <td>{home}</td>
    <td>{moves}</td>
    <td>{scoreText(points)}</td>
  </>
)
