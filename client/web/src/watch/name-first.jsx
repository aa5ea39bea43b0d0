import { useState } from 'preact/hooks'
import { NameField } from '../parts/controls/form-fields.jsx'
import { useSite } from '../parts/hooks.js'
import { t } from '../words/translate.js'

/** Asks a spectator without a name for one before the first chat line. */
export function NameFirst() {
  const { prefs } = useSite()
  const [name, setName] = useState('')
  if (prefs.name.value.trim()) return null
  return (
    <form
      class="name-first"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim()) prefs.name.value = name.trim()
      }}
    >
      <NameField value={name} onInput={setName} required onKeyDown={(/** @type {Event} */ event) => event.stopPropagation()} />
      <button class="button" disabled={!name.trim()}>
        {t('front.save')}
      </button>
    </form>
  )
}
