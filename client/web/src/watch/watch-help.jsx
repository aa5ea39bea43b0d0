import { watchKeys } from '../model/watch-key-help.js'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Keys } from '../parts/help/key-list.jsx'
import { t } from '../words/translate.js'

/** @param {{onClose: () => void}} props */
export const WatchHelp = ({ onClose }) => (
  <Dialog title={t('watch.help.title')} onClose={onClose}>
    <div class="help">
      <p>{t('watch.help.boards')}</p>
      <p>{t('watch.help.chart')}</p>
      <Keys keys={watchKeys()} />
    </div>
  </Dialog>
)
