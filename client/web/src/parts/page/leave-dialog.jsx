import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Dialog } from '../controls/dialog.jsx'
import { useSite } from '../hooks.js'

/** @import { Leaving } from '../../browser/room-visit.js' */

/** Asks before the player leaves the room for another page. @param {{left: NonNullable<Leaving>}} props */
export function LeaveDialog({ left }) {
  const { code, races, others, go } = left
  const { leaving } = useSite().visit
  // The browser reports a closed dialog one frame later: a new question may be open by then.
  const stay = () => {
    if (leaving.peek() === left) leaving.value = null
  }
  const leave = () => {
    stay()
    go()
  }
  return (
    <Dialog asks title={t('more.leave.title', { code })} onClose={stay}>
      {races && <p>{t('more.leave.goesOn')}</p>}
      {others > 0 && <p>{t('more.leave.others', { code, others })}</p>}
      <p>{t('more.leave.kept')}</p>
      <div class="dialog-foot">
        <Button kind="danger" onClick={leave} text={t('more.leave.forNow')} />
        <Button kind="main" autofocus onClick={stay} text={t('more.leave.stay')} />
      </div>
    </Dialog>
  )
}
