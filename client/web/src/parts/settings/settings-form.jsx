import { useState } from 'preact/hooks'
import { lineOf } from '../../model/game-line.js'
import { difficulty, difficultyText, gameName, gamesInOrder, isWinnable } from '../../model/game-texts.js'
import { afterWinText } from '../../model/race/other-rules.js'
import { PRESET_KEYS, PRESETS, presetOf } from '../../model/race/presets.js'
import { limitText } from '../../model/race/rule-texts.js'
import { policiesWhere } from '../../model/watch/watch-policies.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Dialog } from '../controls/dialog.jsx'
import { Field, NumberField, option, Segments, Select, Switch, Wrong } from '../controls/form-fields.jsx'
import { instead, useCommand } from '../hooks.js'
import { DealChoice } from './deal-choice.jsx'
import { UndoSelect } from './undo-select.jsx'
import { WatchFields } from './watch-settings.jsx'
import './settings.css'

/** @import { Settings } from '../../protocol/protocol.d.ts' */

const LIMITS = [300, 600, 900, 1200, 1800, 2700, 3600]
const AFTER_WIN = [60, 120, 300, 600, 0]
const BEST_OF = /** @type {const} */ ([1, 3, 5, 7])
const COUNTDOWNS = [3, 4, 5, 6, 7, 8, 9, 10]

const SWITCHES = /** @type {const} */ ([
  ['auto_start', 'more.settings.autoStartHint'],
  ['hints', 'more.settings.hintsHint'],
  ['public', 'more.settings.publicHint'],
])
const LATE = /** @type {const} */ (['refuse', 'watch', 'join'])

/** @param {Settings['deal']} deal empty: not typed yet */
const isNumbered = (deal) => deal !== 'secret' && !isWinnable(deal)

/** @param {string} key */
const gameText = (key) => t('more.settings.gameOption', { game: gameName(key), difficulty: difficultyText(difficulty(key)) })

/** A choice for hosts in a hurry. @param {{draft: Settings, onPick: (changes: Partial<Settings>) => void}} props */
function Presets({ draft, onPick }) {
  const preset = presetOf(draft)
  return (
    <Segments
      label={t('more.preset.label')}
      name="preset"
      value={preset ?? ''}
      options={PRESET_KEYS.map((key) => option(/** @type {string} */ (key), t(`more.preset.${key}`)))}
      onPick={(key) => onPick(PRESETS[/** @type {import('../../model/race/presets.js').Preset} */ (key)])}
      hint={t(`more.preset.hint.${preset ?? 'mixed'}`)}
    />
  )
}

/** The host's form for the settings of the next race. @param {{settings: Settings, onClose: () => void}} props */
export function SettingsForm({ settings, onClose }) {
  const [draft, setDraft] = useState(settings)
  const [isOpen] = useState(presetOf(settings) === null)
  const save = useCommand('settings')

  const change = (/** @type {Partial<Settings>} */ some) => setDraft((now) => ({ ...now, ...some }))
  /** @template {keyof Settings} K @param {K} key @returns {(value: Settings[K]) => void} */
  const set = (key) => (value) => setDraft((now) => ({ ...now, [key]: value }))
  const changed = /** @type {Partial<Settings>} */ (
    Object.fromEntries(Object.entries(draft).filter(([key, value]) => value !== settings[/** @type {keyof Settings} */ (key)]))
  )
  /**
   * @template {'game' | 'time_limit' | 'after_win' | 'countdown' | 'best_of'} K @param {K} key @param {string} label
   * @param {readonly Settings[K][]} values @param {(value: Settings[K]) => string} textOf @param {string} [hint]
   */
  const select = (key, label, values, textOf, hint = '') => (
    <Select
      label={label}
      value={draft[key]}
      options={values.map((one) => option(one, textOf(one)))}
      onPick={set(key)}
      hint={hint}
    />
  )
  const bestOfText = (/** @type {number} */ count) => t('more.settings.bestOf', { count })
  const bestOfHint = draft.best_of > 1 ? t('more.settings.bestOfHint', { count: (draft.best_of + 1) / 2 }) : ''
  const isChanged = Object.keys(changed).length > 0
  const submit = async () => (!isChanged || (await save.go(changed))) && onClose()
  const games = gamesInOrder().map(({ key }) => key)
  const limits = [...new Set([...LIMITS, draft.time_limit])].sort((a, b) => a - b)

  return (
    <Dialog title={t('more.settings.title')} onClose={onClose} wide>
      <form class="settings-form" onSubmit={instead(submit)} data-part="settings">
        <Presets draft={draft} onPick={change} />
        {select('game', t('front.game'), games, gameText, lineOf(draft.game))}
        {select('best_of', t('race.rule.match'), BEST_OF, bestOfText, bestOfHint)}
        <details class="settings-more" open={isOpen}>
          <summary>{t('more.preset.more')}</summary>
          <div class="settings-grid">
            {select('time_limit', t('more.settings.timeLimit'), limits, limitText)}
            {select('after_win', t('more.setting.after_win'), [...new Set([...AFTER_WIN, draft.after_win])], afterWinText)}
            <UndoSelect value={draft.undo} onPick={set('undo')} />
            <Select
              label={t('race.rule.late')}
              value={draft.late}
              options={LATE.map((late) => option(late, t(`more.settings.lateOption.${late}`)))}
              onPick={(late) => change({ late, ...(!policiesWhere(late).includes(draft.watch) && { watch: 'frontier' }) })}
              hint={t(`more.rule.late.${draft.late}`)}
            />
            <Field
              label={t('more.setting.seats')}
              type="number"
              min="1"
              max="1000"
              value={String(draft.seats)}
              onInput={(seats) => set('seats')(Number(seats) || 1)}
            />
            {select('countdown', t('more.setting.countdown'), COUNTDOWNS, (count) => t('race.seconds', { count }))}
            <WatchFields draft={draft} onChange={change} />
            <DealChoice value={draft.deal} game={draft.game} others={['']} onPick={set('deal')} />
            {isNumbered(draft.deal) && (
              <NumberField
                label={t('more.practice.number')}
                required
                value={draft.deal}
                onInput={(deal) => set('deal')(deal.trim())}
                hint={t('more.settings.dealHint')}
              />
            )}
            <div class="switches">
              {SWITCHES.map(([key, hint]) => (
                <Switch key={key} label={t(`more.setting.${key}`)} hint={t(hint)} on={draft[key]} onChange={set(key)} />
              ))}
            </div>
          </div>
        </details>
        {save.error && <Wrong>{save.error.message}</Wrong>}
        <div class="dialog-foot">
          <p class="hint">{t('more.settings.resetsReady')}</p>
          <Button onClick={onClose}>{t('front.cancel')}</Button>
          <Button type="submit" kind="main" disabled={save.busy || !isChanged} text={t('front.save')} />
        </div>
      </form>
    </Dialog>
  )
}
