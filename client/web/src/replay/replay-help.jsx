import { KEYS } from '../model/key-help.js'
import { Dialog } from '../parts/dialog.jsx'
import { Keys } from '../parts/keys.jsx'

/** @param {{onClose: () => void}} props */
export const ReplayHelp = ({ onClose }) => (
  <Dialog title="Keys of the replay" onClose={onClose}>
    <div class="help">
      <p>
        By time, every board shows the same moment of the race. By stock card, everybody turns the same card at the same moment,
        whoever was quicker.
      </p>
      <Keys keys={KEYS.replay} />
    </div>
  </Dialog>
)
