import { gameName } from '../model/words.js'
import { Icon } from './icon.jsx'
import { laterPart } from './lazy-page.jsx'
import './drawer.css'
import './help-drawer.css'

/** Asked for by few, and so not on the way to the cards. */
export const GameHelp = laterPart(async () => (await import('./game-help.jsx')).GameHelp)

/** How the game is played, beside the board, which goes on. @param {{game: string, onClose: () => void}} props */
export const HelpDrawer = ({ game, onClose }) => (
  <aside class="drawer help-drawer" aria-label="Help">
    <div class="card-head">
      <h2>{gameName(game)}</h2>
      <button type="button" class="button button-quiet button-icon" aria-label="Close help" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
    {/* What scrolls can be scrolled by keys, too. */}
    <div class="help-scroll" tabindex={0} role="region" aria-label="How it is played">
      <GameHelp game={game} onLearn={onClose} />
    </div>
  </aside>
)
