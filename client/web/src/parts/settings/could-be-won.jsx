import { starsText } from '../../model/game-texts.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'

/**
 * Tells that a deal was winnable, and how difficult.
 * @param {{stars: number, onPlay: () => void}} props onPlay: shows the winning moves
 */
export const CouldBeWon = ({ stars, onPlay }) => (
  <p data-part="could-be-won">
    {t('solver.won.could', { stars: starsText(stars) })}{' '}
    <Button kind="small" icon="play" onClick={onPlay} text={t('solver.won.play')} />
  </p>
)
