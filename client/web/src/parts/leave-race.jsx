import { racerAt } from '../model/room-view.js'
import { t } from '../words/index.js'
import { Ask } from './confirm-button.jsx'
import { Wrong } from './form-fields.jsx'
import { useAction, useSite } from './hooks.js'
import { Icon } from './icon.jsx'
import './leave-race.css'

/** @import { View } from '../model/protocol.d.ts' */

/** From the race, the way out of the room. @param {{view: View}} props */
export function LeaveRace({ view }) {
  const { session, visit } = useSite()
  const leave = useAction(visit.leave)
  const races = racerAt(view, session.seat.value)?.state === 'racing'
  return (
    <div class="leave-race" data-part="leave">
      <Ask
        class="button"
        question={t(races ? 'more.leave.racing' : 'race.room.leaveQuestion')}
        yes={t('race.room.leave')}
        disabled={leave.busy}
        onYes={() => leave.go()}
      >
        <Icon name="out" /> {t('more.leave.room')}
      </Ask>
      {leave.error && <Wrong>{leave.error.message}</Wrong>}
    </div>
  )
}
