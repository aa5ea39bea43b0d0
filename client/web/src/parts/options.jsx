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
        <Switch
          label="Four colours"
          hint="A colour for each suit"
          on={prefs.fourColour.value}
          onChange={(on) => (prefs.fourColour.value = on)}
        />
        <Switch
          label="Mirror"
          hint="The stock on the other side"
          on={prefs.mirror.value}
          onChange={(on) => (prefs.mirror.value = on)}
        />
        <Switch
          label="Finish by itself"
          hint="When all cards that are left can go home"
          on={!prefs.finishByHand.value}
          onChange={(on) => (prefs.finishByHand.value = !on)}
        />
        <Switch
          label="Safe cards go home by themselves"
          hint="A card that nothing can be put on any more"
          on={prefs.safeHome.value}
          onChange={(on) => (prefs.safeHome.value = on)}
        />
        <Switch label="Sound" hint="Or press M" on={prefs.sound.value} onChange={(on) => (prefs.sound.value = on)} />
        {'vibrate' in navigator && (
          <Switch
            label="Vibration"
            hint="When a move is not allowed, and when somebody wins"
            on={prefs.vibration.value}
            onChange={(on) => (prefs.vibration.value = on)}
          />
        )}
        <Switch
          label="Reactions"
          hint="Signs of those who watch, once your race is over"
          on={!prefs.reactionsHidden.value}
          onChange={(on) => (prefs.reactionsHidden.value = !on)}
        />
        {racing && (
          <Switch
            label="Zen"
            hint="Nothing but the board; press Z or Escape to come back"
            on={prefs.zen.value}
            onChange={(on) => (prefs.zen.value = on)}
          />
        )}
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
