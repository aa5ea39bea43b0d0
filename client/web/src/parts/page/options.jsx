import { racerAt } from '../../model/race/room-view.js'
import { t } from '../../words/translate.js'
import { ConfirmButton } from '../controls/confirm-button.jsx'
import { Dialog } from '../controls/dialog.jsx'
import { Switch, Wrong } from '../controls/form-fields.jsx'
import { useAction, useSite } from '../hooks.js'
import { EndRace } from '../race/end-race.jsx'
import { People } from '../room/people.jsx'
import { NarrowWatching } from '../settings/watch-settings.jsx'
import { LanguageSwitch } from './language-switch.jsx'
import './options.css'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Signal } from '@preact/signals' */

const THEMES = /** @type {const} */ (['auto', 'light', 'dark'])

/**
 * A switch of a preference.
 * @param {string} label @param {string} hint @param {Signal<boolean>} pref
 * @param {boolean} [turned] the preference stores the opposite
 */
const switchOf = (label, hint, pref, turned = false) => (
  <Switch label={label} hint={hint} on={pref.value !== turned} onChange={(on) => (pref.value = on !== turned)} />
)

/**
 * The preferences of this browser; it affects no other player. In a race also the ways to end and to leave it.
 * @param {{onClose: () => void, racing?: boolean}} props
 */
export function Options({ onClose, racing }) {
  const { prefs, session } = useSite()
  const view = session.view.value
  const isOn = view?.race.starts_at != null && view.race.over_at == null
  return (
    <Dialog title={t('front.options')} onClose={onClose}>
      <div class="options">
        <LanguageSwitch />
        <fieldset class="choice">
          <legend>{t('more.options.theme')}</legend>
          <div class="segments">
            {THEMES.map((theme) => (
              <label key={theme}>
                <input
                  type="radio"
                  name="theme"
                  checked={prefs.theme.value === theme}
                  onChange={() => (prefs.theme.value = theme)}
                />
                <span>{t(`more.options.theme.${theme}`)}</span>
              </label>
            ))}
          </div>
        </fieldset>
        {switchOf(t('front.fourColours'), t('front.fourColoursHint'), prefs.fourColour)}
        {switchOf(t('more.options.leftHanded'), t('more.options.leftHandedHint'), prefs.mirror)}
        {switchOf(t('more.options.finish'), t('more.options.finishHint'), prefs.finishByHand, true)}
        {switchOf(t('more.options.safe'), t('more.options.safeHint'), prefs.safeHome)}
        {switchOf(t('more.options.sound'), t('more.options.soundHint'), prefs.sound)}
        {'vibrate' in navigator && switchOf(t('more.options.vibration'), t('more.options.vibrationHint'), prefs.vibration)}
        {switchOf(t('race.reactions.title'), t('more.options.reactionsHint'), prefs.reactionsHidden, true)}
        {racing && switchOf(t('more.options.zen'), t('more.options.zenHint'), prefs.zen)}
        {view && isOn && session.isHost.value && view.settings.watching !== 'nobody' && (
          <NarrowWatching key={view.settings.watch + view.settings.delay} view={view} />
        )}
        {view && racing && session.isHost.value && (
          <details class="options-people">
            <summary>{t('race.room.people')}</summary>
            <People view={view} seat={session.seat.value} ready={false} />
          </details>
        )}
        {view && racing && isOn && <EndRace view={view} onDone={onClose} />}
        {view && racing && <LeaveRace view={view} />}
      </div>
    </Dialog>
  )
}

/** Leaves the room during a race. @param {{view: View}} props */
function LeaveRace({ view }) {
  const { session, visit } = useSite()
  const leave = useAction(visit.leave)
  const races = racerAt(view, session.seat.value)?.state === 'racing'
  return (
    <div class="leave-race" data-part="leave">
      <ConfirmButton
        icon="out"
        question={t(races ? 'more.leave.racing' : 'race.room.leaveQuestion')}
        yes={t('race.room.leave')}
        disabled={leave.busy}
        onYes={() => leave.go()}
        text={t('more.leave.room')}
      />
      {leave.error && <Wrong>{leave.error.message}</Wrong>}
    </div>
  )
}
