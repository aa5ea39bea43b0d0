import { useState } from 'preact/hooks'
import { durationText, watchingText, watchText } from '../../model/race/rule-texts.js'
import { DELAYS, isNarrower, POLICIES, policiesWhere } from '../../model/watch/watch-policies.js'
import { t } from '../../words/translate.js'
import { option, Select, Wrong } from '../controls/form-fields.jsx'
import { useAction, useSite } from '../hooks.js'
import './settings.css'

/** @import { Settings, View } from '../../protocol/protocol.d.ts' */

const WATCHING = /** @type {const} */ (['everyone', 'link', 'nobody'])

/** @param {number} delay */
const withDelay = (delay) => [...new Set([...DELAYS, delay])].sort((a, b) => a - b)

/**
 * The watch policy with its explanation.
 * @param {{watch: Settings['watch'], delay: number, policies: readonly Settings['watch'][], delays?: number[], onWatch: (watch:
 *   Settings['watch']) => void, onDelay: (delay: number) => void}} props
 */
function PolicyFields({ watch, delay, policies, delays = withDelay(delay), onWatch, onDelay }) {
  return (
    <>
      <Select
        label={t('more.setting.watch')}
        value={watch}
        options={policies.map((key) => option(key, t(`more.settings.watchOption.${key}`)))}
        onPick={onWatch}
        hint={watchText(watch, delay)}
      />
      {watch === 'delayed' && (
        <Select
          label={t('more.setting.delay')}
          value={delay}
          options={delays.map((s) => option(s, durationText(s)))}
          onPick={onDelay}
        />
      )}
    </>
  )
}

/** The settings about spectators. @param {{draft: Settings, onChange: (changed: Partial<Settings>) => void}} props */
export function WatchFields({ draft, onChange }) {
  return (
    <>
      <Select
        label={t('more.setting.watching')}
        value={draft.watching}
        options={WATCHING.map((who) => option(who, t(`more.settings.watchingOption.${who}`)))}
        onPick={(watching) => onChange({ watching })}
        hint={watchingText(draft.watching)}
      />
      {draft.watching !== 'nobody' && (
        <PolicyFields
          watch={draft.watch}
          delay={draft.delay}
          policies={policiesWhere(draft.late)}
          onWatch={(watch) => onChange({ watch })}
          onDelay={(delay) => onChange({ delay })}
        />
      )}
    </>
  )
}

/** The host can restrict what spectators see during a race. @param {{view: View}} props */
export function NarrowWatching({ view }) {
  const { session } = useSite()
  const { settings } = view
  const [draft, setDraft] = useState({ watch: settings.watch, delay: settings.delay })
  const save = useAction(() => session.settings(draft.watch === 'delayed' ? draft : { watch: draft.watch }))
  const policies = POLICIES.filter((watch) => isNarrower({ ...draft, watch, delay: Infinity }, settings))
  const delays = withDelay(settings.delay).filter((delay) => isNarrower({ watch: 'delayed', delay }, settings))
  const isChanged = draft.watch !== settings.watch || (draft.watch === 'delayed' && draft.delay !== settings.delay)
  return (
    <form
      class="narrow-watching"
      data-part="narrow-watching"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) save.go()
      }}
    >
      <PolicyFields
        watch={draft.watch}
        delay={draft.delay}
        policies={policies}
        delays={delays}
        onWatch={(watch) => setDraft({ ...draft, watch })}
        onDelay={(delay) => setDraft({ ...draft, delay })}
      />
      <p class="hint">{t('refused.not-wider')}</p>
      {save.error && <Wrong>{save.error.message}</Wrong>}
      <button class="button button-small" disabled={save.busy || !isChanged}>
        {t('more.settings.showLess')}
      </button>
    </form>
  )
}
