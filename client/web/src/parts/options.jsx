import { useSite } from '../app/site.js'
import { Dialog } from './dialog.jsx'
import { Switch } from './settings.jsx'

const THEMES = /** @type {const} */ ([
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
])

/** How it looks on this screen; nobody else is affected. @param {{onClose: () => void, zen?: boolean}} props */
export function Options({ onClose, zen }) {
  const { prefs } = useSite()
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
      </div>
    </Dialog>
  )
}

const KEYS = [
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
]

/** @param {{onClose: () => void}} props */
export const Help = ({ onClose }) => (
  <Dialog title="Keys and taps" onClose={onClose}>
    <div class="help">
      <p>
        Tap a card to lift it and a column to place it, or drag. Tap twice for the best move: home first. Tap the stock
        to draw.
      </p>
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  </Dialog>
)
