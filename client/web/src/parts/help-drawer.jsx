import { gameName } from '../model/games.js'
import { t } from '../words/index.js'
import { Icon } from './icon.jsx'
import { GameHelp } from './later-parts.js'
import './drawer.css'
import './help-drawer.css'

/** How the game is played, beside the board, which goes on. @param {{game: string, onClose: () => void}} props */
export const HelpDrawer = ({ game, onClose }) => (
  <aside class="drawer help-drawer" aria-label={t('front.help')}>
    <div class="card-head">
      <h2>{gameName(game)}</h2>
      <button type="button" class="button button-quiet button-icon" aria-label={t('race.closeHelp')} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
    {/* What scrolls can be scrolled by keys, too. */}
    <div class="help-scroll" tabindex={0} role="region" aria-label={t('race.howToPlay')}>
      <GameHelp game={game} onLearn={onClose} />
    </div>
  </aside>
)
