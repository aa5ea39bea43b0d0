import { starsText } from '../../model/game-texts.js'
import { t } from '../../words/translate.js'
import { Icon } from '../controls/icon.jsx'

/**
 * That a deal could be won, and how hard that was.
 *
 * @param {{stars: number, onPlay: () => void}} props onPlay: show the moves that win it
 */
export const CouldBeWon = ({ stars, onPlay }) => (
  <p data-part="could-be-won">
    {t('solver.won.could', { stars: starsText(stars) })}{' '}
    <button type="button" class="button button-small" onClick={onPlay}>
      <Icon name="play" /> {t('solver.won.play')}
    </button>
  </p>
)
