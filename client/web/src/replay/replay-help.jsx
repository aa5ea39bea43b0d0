import { replayKeys } from '../model/watch-key-help.js'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Keys } from '../parts/help/key-list.jsx'
import { t } from '../words/translate.js'

/** @param {{onClose: () => void}} props */
export const ReplayHelp = ({ onClose }) => (
  <Dialog title={t('watch.player.helpTitle')} onClose={onClose}>
    <div class="help">
      <p>{t('watch.player.help')}</p>
      <Keys keys={replayKeys()} />
    </div>
  </Dialog>
)
