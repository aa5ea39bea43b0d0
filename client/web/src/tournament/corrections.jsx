import { nameOf } from '../model/tournament/rounds.js'
import { scoreText } from '../model/tournament/words.js'
import { Rich } from '../words/sentence.jsx'

/** @import { Round, Tournament } from '../protocol/protocol.d.ts' */

/**
 * The corrections of a round or of a race of an arena, with their reasons.
 *
 * @param {{tournament: Tournament, round: Pick<Round, 'corrections'>}} props
 */
export const Corrections = ({ tournament, round: { corrections = [] } }) => (
  <>
    {corrections.map(([who, value, reason]) => (
      <p key={who} class="hint" data-part="correction">
        <Rich
          id="tournament.rounds.corrected"
          with={{ name: <bdi>{nameOf(tournament, who)}</bdi>, value: scoreText(value), reason: <bdi>{reason}</bdi> }}
        />
      </p>
    ))}
  </>
)
