import { KEYS } from '../model/key-help.js'
import { Dialog } from '../parts/dialog.jsx'
import { Keys } from '../parts/keys.jsx'

/** @param {{onClose: () => void}} props */
export const WatchHelp = ({ onClose }) => (
  <Dialog title="Watching" onClose={onClose}>
    <div class="help">
      <p>
        Tap a board or a name to see it large, and wipe to the side for the next one. Nothing you do here is seen by those who
        race.
      </p>
      <p>
        The chart has a line for each of the leaders, and for whom you mark with the arrows. If the boards wait for a racer who
        makes no move, that racer is asked to let them go on.
      </p>
      <Keys keys={KEYS.watch} />
    </div>
  </Dialog>
)
