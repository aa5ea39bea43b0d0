import { Dialog } from '../parts/dialog.jsx'
import { Keys } from '../parts/options.jsx'

const KEYS = /** @type {const} */ ([
  ['1 … 9', 'show one board; the same again: all'],
  ['← → ↑ ↓', 'go from board to board'],
  ['Enter', 'show the marked board alone'],
  ['0, Escape', 'show all boards'],
  ['T', 'tour: one board after the other'],
  ['Space', 'pause the tour'],
  ['C', 'chat'],
  ['?', 'this help'],
])

/** @param {{onClose: () => void}} props */
export const WatchHelp = ({ onClose }) => (
  <Dialog title="Watching" onClose={onClose}>
    <div class="help">
      <p>
        Tap a board or a name to see it large, and wipe to the side for the next one. Nothing you do here is seen by
        those who race.
      </p>
      <Keys keys={KEYS} />
    </div>
  </Dialog>
)
