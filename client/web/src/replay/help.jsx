import { Dialog } from '../parts/dialog.jsx'
import { Keys } from '../parts/options.jsx'

const KEYS = /** @type {const} */ ([
  ['Space', 'play, pause'],
  ['← →', '5 seconds back and on'],
  [', .', 'one move back and on'],
  ['[ ]', 'event before, next event'],
  ['Home, End', 'start and end'],
  ['− +', 'slower, faster'],
  ['S', 'align by time or by stock card'],
  ['1 … 9', 'one board large; again: all'],
  ['↑ ↓', 'go from board to board'],
  ['0, Escape', 'all boards'],
  ['?', 'this help'],
])

/** @param {{onClose: () => void}} props */
export const ReplayHelp = ({ onClose }) => (
  <Dialog title="Keys of the replay" onClose={onClose}>
    <div class="help">
      <p>
        By time, every board shows the same moment of the race. By stock card, everybody turns the same card at the same
        moment, whoever was quicker.
      </p>
      <Keys keys={KEYS} />
    </div>
  </Dialog>
)
