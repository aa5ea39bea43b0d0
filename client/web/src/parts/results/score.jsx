/** The score of a room or of its match, and a photo finish. */
import { photoText } from '../../model/race/photo-finish.js'
import { t } from '../../words/translate.js'
import { Name } from '../controls/face.jsx'
import './score.css'

/** @import { Photo } from '../../model/race/photo-finish.js' */
/** @import { Score as Wins } from '../../model/race/result-texts.js' */
/** @import { View } from '../../protocol/protocol.d.ts' */

/** @param {{photo: Photo}} props */
export const PhotoFinish = ({ photo }) => (
  <p class="photo-finish" data-part="photo">
    {photoText(photo)}
  </p>
)

const SCORES = 6 // the number of scores on the page

/** The number of wins of each player in this room, or in its match. @param {{view: View, scores: Wins[]}} props */
export const Score = ({ view: { match }, scores }) =>
  scores.length > 1 && (
    <div class="match-score" data-part="score">
      <ul
        class="room-score"
        data-duel={scores.length === 2 || undefined}
        aria-label={t(match ? 'race.rule.match' : 'more.end.score')}
      >
        {scores.slice(0, SCORES).map(({ seat, name, wins }) => (
          <li key={seat}>
            <Name seat={seat} name={name} /> <b>{wins}</b>
          </li>
        ))}
      </ul>
      {match && match.winner == null && <span>{t('more.match.firstTo', { count: match.first_to })}</span>}
    </div>
  )
