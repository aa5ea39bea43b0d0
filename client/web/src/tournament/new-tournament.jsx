/** The form for a new tournament. */
import { useState } from 'preact/hooks'
import { TITLE_LENGTH } from '../model/tournament/plan-constants.js'
import { BLANK, faultsOf, PRESETS, passwordOf, planOf, settingsOf, withPreset } from '../model/tournament/plan-draft.js'
import { Button } from '../parts/controls/button.jsx'
import { Field, Form, NameField, Switch, Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, usePageTitle, useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { t } from '../words/translate.js'
import { PlanFields } from './plan-fields.jsx'
import './new-tournament.css'

/** @import { Draft } from '../model/tournament/plan-draft.js' */

export function HostTournament() {
  const { session, prefs, route, visit } = useSite()
  const [copied] = useState(() => /** @type {Draft | undefined} */ (route.note()?.draft))
  const [preset, setPreset] = useState(/** @type {typeof PRESETS[number]['key'] | null} */ (copied ? null : 'points-evening'))
  const [draft, setDraft] = useState(() => ({ ...BLANK, games: [prefs.game.value], ...copied }))
  const [tried, setTried] = useState(false)
  const change = (/** @type {Partial<Draft>} */ some) => setDraft((now) => ({ ...now, ...some }))
  const create = useAction(async () => {
    await visit.create(prefs.name.value.trim(), settingsOf(draft), { plan: planOf(draft), password: passwordOf(draft) })
    if (draft.plays) await session.ask('enter', true)
  })
  const faults = tried ? faultsOf(draft, session.clock.now()) : {}
  const badName = create.error?.code === 'bad-name' ? create.error.message : null

  usePageTitle(t('front.hostTournament'))

  const submit = () => {
    setTried(true)
    if (!Object.keys(faultsOf(draft, session.clock.now())).length) create.go()
  }

  return (
    <Page name="host" main="host-main">
      <Form class="card host-form" onSubmit={submit} aria-label={t('front.hostTournament')}>
        <h1>{t('front.hostTournament')}</h1>
        <p class="hint">{copied ? t('tournament.new.copied') : t('tournament.new.hint')}</p>
        <fieldset class="presets">
          <legend>{t('tournament.new.kind')}</legend>
          {PRESETS.map(({ key, changes }) => (
            <label key={key} class="preset" data-preset={key}>
              <input
                type="radio"
                name="preset"
                checked={preset === key}
                onChange={() => {
                  setPreset(key)
                  setDraft(withPreset(draft, changes, prefs.game.value))
                }}
              />
              <span class="preset-inside">
                <span class="preset-name">{t(`tournament.new.preset.${key}`)}</span>
                <span class="hint">{t(`tournament.new.presetLine.${key}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div class="plan-grid">
          <NameField value={prefs.name.value} onInput={(name) => (prefs.name.value = name)} required error={badName} />
          <Field
            label={t('tournament.new.eventName')}
            value={draft.name}
            onInput={(name) => change({ name })}
            maxlength={TITLE_LENGTH}
            placeholder={t('tournament.new.eventExample')}
            autocomplete="off"
            dir="auto"
          />
        </div>
        <PlanFields draft={draft} onChange={change} faults={faults} />
        <div class="plan-grid">
          <Switch
            label={t('tournament.new.plays')}
            hint={t('tournament.new.playsHint')}
            on={draft.plays}
            onChange={(plays) => change({ plays })}
          />
          <Switch
            label={t('tournament.new.public')}
            hint={t('tournament.new.publicHint')}
            on={draft.public}
            onChange={(on) => change({ public: on })}
          />
        </div>
        {create.error && !badName && <Wrong>{create.error.message}</Wrong>}
        {Object.keys(faults).length > 0 && <Wrong>{t('tournament.new.faults')}</Wrong>}
        <div class="row row-end">
          <Button kind="quiet" text={t('front.join.frontPage')} onClick={route.toFront} />
          <Button type="submit" kind="main large" text={t('tournament.new.open')} disabled={create.busy} />
        </div>
      </Form>
    </Page>
  )
}
