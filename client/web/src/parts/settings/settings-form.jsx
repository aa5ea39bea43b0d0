import { useId, useState } from 'preact/hooks'
import { difficulty, difficultyText, gameLine, gameName, gamesInOrder, isWinnable } from '../../model/game-texts.js'
import { afterWinText, lateText, limitText, practiceOf } from '../../model/race/rule-texts.js'
import { policiesWhere } from '../../model/watch/watch-policies.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Dialog } from '../controls/dialog.jsx'
import { option, Select, Switch, Wrong } from '../controls/form-fields.jsx'
import { useAction, useSite } from '../hooks.js'
import { DealChoice } from './deal-choice.jsx'
import { UndoSelect } from './undo-select.jsx'
import { WatchFields } from './watch-settings.jsx'
import './settings.css'

/** @import { Settings } from '../../protocol/protocol.d.ts' */

const LIMITS = [300, 600, 900, 1200, 1800, 2700, 3600]
const AFTER_WIN = [60, 120, 300, 600, 0]
const COUNTDOWNS = [3, 4, 5, 6, 7, 8, 9, 10]

const LATE = /** @type {const} */ (['refuse', 'watch', 'join'])

/** @param {Settings['deal']} deal empty: not typed yet */
const isNumbered = (deal) => deal !== 'secret' && !isWinnable(deal) && !practiceOf(deal)

/** The host's form for the settings of the next race. @param {{settings: Settings, onClose: () => void}} props */
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
    <Dialog title={t('more.settings.title')} onClose={onClose} wide>
      <form class="settings" onSubmit={submit} data-part="settings">
        <div class="settings-grid">
          <Select
            label={t('front.game')}
            value={draft.game}
            options={gamesInOrder().map(({ key }) => {
              const named = { game: gameName(key), difficulty: difficultyText(difficulty(key)) }
              return option(key, t('more.settings.gameOption', named))
            })}
            onPick={set('game')}
            hint={gameLine(draft.game)}
          />
          <Select
            label={t('more.settings.timeLimit')}
            value={draft.time_limit}
            options={limits.map((s) => option(s, limitText(s)))}
            onPick={set('time_limit')}
          />
          <Select
            label={t('more.setting.after_win')}
            value={draft.after_win}
            options={[...new Set([...AFTER_WIN, draft.after_win])].map((s) => option(s, afterWinText(s)))}
            onPick={set('after_win')}
          />
          <UndoSelect value={draft.undo} onPick={set('undo')} />
          <Select
            label={t('race.rule.late')}
            value={draft.late}
            options={LATE.map((late) => option(late, t(`more.settings.lateOption.${late}`)))}
            onPick={(late) => change({ late, ...(!policiesWhere(late).includes(draft.watch) && { watch: 'frontier' }) })}
            hint={lateText(draft.late)}
          />
          <div class="field">
            <label for={seatsId}>{t('more.setting.seats')}</label>
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
            label={t('more.setting.countdown')}
            value={draft.countdown}
            options={COUNTDOWNS.map((s) => option(s, t('race.seconds', { count: s })))}
            onPick={set('countdown')}
          />
          <WatchFields draft={draft} onChange={change} />
          <DealChoice
            value={draft.deal}
            game={draft.game}
            others={[...(practiceOf(settings.deal) ? [settings.deal] : []), '']}
            onPick={set('deal')}
          />
          {isNumbered(draft.deal) && (
            <div class="field">
              <label for={dealId}>{t('front.practise.deal')}</label>
              <input
                id={dealId}
                type="text"
                inputmode="numeric"
                autocomplete="off"
                required
                value={draft.deal}
                onInput={(event) => set('deal')(event.currentTarget.value.trim())}
              />
              <p class="hint">{t('more.settings.dealHint')}</p>
            </div>
          )}
          <div class="switches">
            <Switch
              label={t('more.setting.auto_start')}
              hint={t('more.settings.autoStartHint')}
              on={draft.auto_start}
              onChange={set('auto_start')}
            />
            <Switch
              label={t('more.setting.hints')}
              hint={t('more.settings.hintsHint')}
              on={draft.hints}
              onChange={set('hints')}
            />
            <Switch
              label={t('more.setting.public')}
              hint={t('more.settings.publicHint')}
              on={draft.public}
              onChange={set('public')}
            />
          </div>
        </div>
        {save.error && <Wrong>{save.error.message}</Wrong>}
        <div class="dialog-foot">
          <p class="hint">{t('more.settings.resetsReady')}</p>
          <Button onClick={onClose}>{t('front.cancel')}</Button>
          <button class="button button-main" disabled={save.busy || !isChanged}>
            {t('front.save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
