import { t } from '../words/index.js'
import { Dialog } from './dialog.jsx'
import { EndRace } from './end-race.jsx'
import { Switch } from './form-fields.jsx'
import { useSite } from './hooks.js'
import { LanguageSwitch } from './language-switch.jsx'
import { LeaveRace } from './leave-race.jsx'
import { People } from './people.jsx'
import { NarrowWatching } from './watch-settings.jsx'
import './options.css'

/** @import { Signal } from '@preact/signals' */

const THEMES = /** @type {const} */ (['auto', 'light', 'dark'])

/**
 * Switches a preference.
 *
 * @param {{label: string, hint: string, pref: Signal<boolean>, turned?: boolean}} props
 *   turned: the preference says that something is off
 */
const PrefSwitch = ({ label, hint, pref, turned = false }) => (
  <Switch label={label} hint={hint} on={pref.value !== turned} onChange={(on) => (pref.value = on !== turned)} />
)

/**
 * How it looks on this screen; nobody else is affected. In a race, the way out, too.
 *
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
        <PrefSwitch label={t('front.fourColours')} hint={t('front.fourColoursHint')} pref={prefs.fourColour} />
        <PrefSwitch label={t('more.options.leftHanded')} hint={t('more.options.leftHandedHint')} pref={prefs.mirror} />
        <PrefSwitch label={t('more.options.finish')} hint={t('more.options.finishHint')} pref={prefs.finishByHand} turned />
        <PrefSwitch label={t('more.options.safe')} hint={t('more.options.safeHint')} pref={prefs.safeHome} />
        <PrefSwitch label={t('more.options.sound')} hint={t('more.options.soundHint')} pref={prefs.sound} />
        {'vibrate' in navigator && (
          <PrefSwitch label={t('more.options.vibration')} hint={t('more.options.vibrationHint')} pref={prefs.vibration} />
        )}
        <PrefSwitch
          label={t('race.reactions.title')}
          hint={t('more.options.reactionsHint')}
          pref={prefs.reactionsHidden}
          turned
        />
        {racing && <PrefSwitch label={t('more.options.zen')} hint={t('more.options.zenHint')} pref={prefs.zen} />}
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
