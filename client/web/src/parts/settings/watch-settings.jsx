import { useState } from 'preact/hooks'
import { watchText } from '../../model/race/other-rules.js'
import { durationText } from '../../model/race/rule-texts.js'
import { DELAYS, isNarrower, POLICIES, policiesWhere } from '../../model/watch/watch-policies.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { option, Select, Wrong } from '../controls/form-fields.jsx'
import { instead, useAction, useSite } from '../hooks.js'
import './settings.css'

/** @import { Settings, View } from '../../protocol/protocol.d.ts' */

const WATCHING = /** @type {const} */ (['everyone', 'link', 'nobody'])

/** @param {number} delay */
const withDelay = (delay) => [...new Set([...DELAYS, delay])].sort((a, b) => a - b)

/** @typedef {Settings['watch']} Policy */
/** @typedef {(changed: Partial<Settings>) => void} Change */

/**
 * The watch policy with its explanation.
 * @param {{watch: Policy, delay: number, policies: readonly Policy[], delays?: number[], onChange: Change}} props
 */
function PolicyFields({ watch, delay, policies, delays = withDelay(delay), onChange }) {
  return (
    <>
      <Select
        label={t('more.setting.watch')}
        value={watch}
        options={policies.map((key) => option(key, t(`more.settings.watchOption.${key}`)))}
        onPick={(watch) => onChange({ watch })}
        hint={watchText(watch, delay)}
      />
      {watch === 'delayed' && (
        <Select
          label={t('more.setting.delay')}
          value={delay}
          options={delays.map((s) => option(s, durationText(s)))}
          onPick={(delay) => onChange({ delay })}
        />
      )}
    </>
  )
}

/** The settings about spectators. @param {{draft: Settings, onChange: Change}} props */
export const WatchFields = ({ draft, onChange }) => (
  <>
    <Select
      label={t('more.setting.watching')}
      value={draft.watching}
      options={WATCHING.map((who) => option(who, t(`more.settings.watchingOption.${who}`)))}
      onPick={(watching) => onChange({ watching })}
      hint={t(`more.rule.watching.${draft.watching}`)}
    />
    {draft.watching !== 'nobody' && (
      <PolicyFields watch={draft.watch} delay={draft.delay} policies={policiesWhere(draft.late)} onChange={onChange} />
    )}
  </>
)

/** The host can restrict what spectators see during a race. @param {{view: View}} props */
export function NarrowWatching({ view }) {
  const { session } = useSite()
  const { settings } = view
  const [draft, setDraft] = useState({ watch: settings.watch, delay: settings.delay })
  const save = useAction(() => session.ask('settings', draft.watch === 'delayed' ? draft : { watch: draft.watch }))
  const policies = POLICIES.filter((watch) => isNarrower({ ...draft, watch, delay: Infinity }, settings))
  const delays = withDelay(settings.delay).filter((delay) => isNarrower({ watch: 'delayed', delay }, settings))
  const isChanged = draft.watch !== settings.watch || (draft.watch === 'delayed' && draft.delay !== settings.delay)
  return (
    <form class="narrow-watching" data-part="narrow-watching" onSubmit={instead(() => isChanged && save.go())}>
      <PolicyFields {...draft} policies={policies} delays={delays} onChange={(some) => setDraft({ ...draft, ...some })} />
      <p class="hint">{t('refused.not-wider')}</p>
      {save.error && <Wrong>{save.error.message}</Wrong>}
      <Button type="submit" kind="small" disabled={save.busy || !isChanged} text={t('more.settings.showLess')} />
    </form>
  )
}
