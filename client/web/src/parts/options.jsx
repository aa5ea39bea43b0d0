import { useSite } from '../app/site.js'
import { Dialog } from './dialog.jsx'
import { Switch } from './settings.jsx'
import { NarrowWatching } from './watchers.jsx'

const THEMES = /** @type {const} */ ([
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
])

/** How it looks on this screen; nobody else is affected. @param {{onClose: () => void, zen?: boolean}} props */
export function Options({ onClose, zen }) {
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
        {zen && (
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
      </div>
    </Dialog>
  )
}

const KEYS = /** @type {const} */ ([
  ['← → ↑ ↓', 'go from pile to pile'],
  ['Enter', 'lift cards, place them'],
  ['1 … 9, 0', 'columns 1 to 10: lift, place'],
  ['Shift 1 … 3', 'columns 11 to 13'],
  ['W', 'waste'],
  ['Space', 'draw'],
  ['F', 'send home'],
  ['B', 'best move: home first'],
  ['U', 'undo'],
  ['C', 'chat'],
  ['Z', 'zen: nothing but the board'],
  ['Escape', 'put down what is lifted'],
  ['?', 'this help'],
])

/** @param {{keys: readonly (readonly [key: string, text: string])[]}} props */
export const Keys = ({ keys }) => (
  <dl class="keys">
    {keys.map(([key, text]) => (
      <div key={key}>
        <dt>
          <kbd>{key}</kbd>
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
)

/** @param {{onClose: () => void}} props */
export const Help = ({ onClose }) => (
  <Dialog title="Keys and taps" onClose={onClose}>
    <div class="help">
      <p>
        Tap a card to lift it and a column to place it, or drag. Tap twice for the best move: home first. Tap the stock
        to draw.
      </p>
      <Keys keys={KEYS} />
    </div>
  </Dialog>
)
