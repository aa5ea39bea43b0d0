import { Dialog } from './dialog.jsx'
import { EndRace } from './end-race.jsx'
import { Switch } from './form-fields.jsx'
import { useSite } from './hooks.js'
import { LeaveRace } from './leave-race.jsx'
import { People } from './people.jsx'
import { NarrowWatching } from './watch-settings.jsx'
import './options.css'

const THEMES = /** @type {const} */ ([
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
])

/**
 * Switches a preference.
 *
 * @param {{label: string, hint: string, pref: import('@preact/signals').Signal<boolean>, turned?: boolean}} props
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
    <Dialog title="Options" onClose={onClose}>
      <div class="options">
        <fieldset class="choice">
          <legend>Theme</legend>
          <div class="segments">
            {THEMES.map(([theme, text]) => (
              <label key={theme}>
                <input
                  type="radio"
                  name="theme"
                  checked={prefs.theme.value === theme}
                  onChange={() => (prefs.theme.value = theme)}
                />
                <span>{text}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <PrefSwitch label="Four colours" hint="A colour for each suit" pref={prefs.fourColour} />
        <PrefSwitch label="Mirror" hint="The stock on the other side" pref={prefs.mirror} />
        <PrefSwitch label="Finish by itself" hint="When all cards that are left can go home" pref={prefs.finishByHand} turned />
        <PrefSwitch
          label="Safe cards go home by themselves"
          hint="A card that nothing can be put on any more"
          pref={prefs.safeHome}
        />
        <PrefSwitch label="Sound" hint="Or press M" pref={prefs.sound} />
        {'vibrate' in navigator && (
          <PrefSwitch label="Vibration" hint="When a move is not allowed, and when somebody wins" pref={prefs.vibration} />
        )}
        <PrefSwitch
          label="Reactions"
          hint="Signs of those who watch, once your race is over"
          pref={prefs.reactionsHidden}
          turned
        />
        {racing && <PrefSwitch label="Zen" hint="Nothing but the board; press Z or Escape to come back" pref={prefs.zen} />}
        {view && isOn && session.isHost.value && view.settings.watching !== 'nobody' && (
          <NarrowWatching key={view.settings.watch + view.settings.delay} view={view} />
        )}
        {view && racing && session.isHost.value && (
          <details class="options-people">
            <summary>People</summary>
            <People view={view} seat={session.seat.value} ready={false} />
          </details>
        )}
        {view && racing && isOn && <EndRace view={view} onDone={onClose} />}
        {view && racing && <LeaveRace view={view} />}
      </div>
    </Dialog>
  )
}
