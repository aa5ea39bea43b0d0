import { useId, useState } from 'preact/hooks'
import { policiesWhere } from '../model/watch-policies.js'
import { about, afterWinText, DIFFICULTY, gamesInOrder, LATE, limitText, practiceOf } from '../model/words.js'
import { Dialog } from './dialog.jsx'
import { Select, Switch, Wrong } from './form-fields.jsx'
import { useAction, useSite } from './hooks.js'
import { UndoSelect } from './undo-select.jsx'
import { WatchFields } from './watch-settings.jsx'
import './settings-form.css'

/** @typedef {import('../model/room-view.js').Settings} Settings */

const LIMITS = [300, 600, 900, 1200, 1800, 2700, 3600]
const AFTER_WIN = [60, 120, 300, 600, 0]
const COUNTDOWNS = [3, 4, 5, 6, 7, 8, 9, 10]

/** The host's form for the rules of the next race. @param {{settings: Settings, onClose: () => void}} props */
export function SettingsForm({ settings, onClose }) {
  const { session } = useSite()
  const [draft, setDraft] = useState(settings)
  const save = useAction((/** @type {Partial<Settings>} */ changed) => session.settings(changed))
  const dealId = useId()
  const seatsId = useId()

  const change = (/** @type {Partial<Settings>} */ some) => setDraft((now) => ({ ...now, ...some }))
  /** @template {keyof Settings} K @param {K} key @returns {(value: Settings[K]) => void} */
  const set = (key) => (value) => setDraft((now) => ({ ...now, [key]: value }))
  const changed = /** @type {Partial<Settings>} */ (
    Object.fromEntries(Object.entries(draft).filter(([key, value]) => value !== settings[/** @type {keyof Settings} */ (key)]))
  )
  const isChanged = Object.keys(changed).length > 0
  const limits = [...new Set([...LIMITS, draft.time_limit])].sort((a, b) => a - b)

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault()
    if (!isChanged || (await save.go(changed))) onClose()
  }

  return (
    <Dialog title="Rules of the race" onClose={onClose} wide>
      <form class="settings" onSubmit={submit} data-part="settings">
        <div class="settings-grid">
          <Select
            label="Game"
            value={draft.game}
            options={gamesInOrder().map(
              (game) => /** @type {const} */ ([game.key, `${game.name} (${DIFFICULTY[about(game.key).hard]})`]),
            )}
            onPick={set('game')}
            hint={about(draft.game).line}
          />
          <Select
            label="Time limit"
            value={draft.time_limit}
            options={limits.map((s) => /** @type {const} */ ([s, limitText(s)]))}
            onPick={set('time_limit')}
          />
          <Select
            label="After the first win"
            value={draft.after_win}
            options={[...new Set([...AFTER_WIN, draft.after_win])].map((s) => /** @type {const} */ ([s, afterWinText(s)]))}
            onPick={set('after_win')}
          />
          <UndoSelect value={draft.undo} onPick={set('undo')} />
          <Select
            label="Late comers"
            value={draft.late}
            options={[
              ['refuse', 'Refuse'],
              ['watch', 'Let them watch'],
              ['join', 'Let them join'],
            ]}
            onPick={(late) => change({ late, ...(!policiesWhere(late).includes(draft.watch) && { watch: 'frontier' }) })}
            hint={LATE[draft.late]}
          />
          <div class="field">
            <label for={seatsId}>Seats</label>
            <input
              id={seatsId}
              type="number"
              min="1"
              max="1000"
              value={draft.seats}
              onInput={(event) => set('seats')(event.currentTarget.valueAsNumber || 1)}
            />
          </div>
          <Select
            label="Countdown"
            value={draft.countdown}
            options={COUNTDOWNS.map((s) => /** @type {const} */ ([s, `${s} seconds`]))}
            onPick={set('countdown')}
          />
          <WatchFields draft={draft} onChange={change} />
          <div class="field">
            <label for={dealId}>Deal number</label>
            <input
              id={dealId}
              type="text"
              inputmode="numeric"
              placeholder="Secret deal"
              value={draft.deal === 'secret' ? '' : draft.deal}
              onInput={(event) => set('deal')(event.currentTarget.value.trim() || 'secret')}
            />
            <p class="hint">
              {practiceOf(draft.deal)
                ? 'This is practice on a deal that was played before. Empty it for a secret deal.'
                : 'Leave it empty for a secret deal. A number from 32001 on gives an open deal, for practice.'}
            </p>
          </div>
          <div class="switches">
            <Switch
              label="Start by itself"
              hint="Once everybody here is ready"
              on={draft.auto_start}
              onChange={set('auto_start')}
            />
            <Switch label="Hints" hint="Everybody may ask for one good move" on={draft.hints} onChange={set('hints')} />
            <Switch label="Public" hint="On the front page, for everybody" on={draft.public} onChange={set('public')} />
          </div>
        </div>
        {save.error && <Wrong>{save.error.message}</Wrong>}
        <div class="dialog-foot">
          <p class="hint">New rules make everybody un-ready.</p>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button button-main" disabled={save.busy || !isChanged}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
