import { starsText } from '../../model/game-texts.js'
import { t } from '../../words/translate.js'
import { Icon } from '../controls/icon.jsx'

/**
 * Tells that a deal was winnable, and how difficult.
 *
 * @param {{stars: number, onPlay: () => void}} props onPlay: shows the winning moves
 */
export const CouldBeWon = ({ stars, onPlay }) => (
  <p data-part="could-be-won">
    {t('solver.won.could', { stars: starsText(stars) })}{' '}
    <button type="button" class="button button-small" onClick={onPlay}>
      <Icon name="play" /> {t('solver.won.play')}
    </button>
  </p>
)
