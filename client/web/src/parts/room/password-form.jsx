import { useState } from 'preact/hooks'
import { t } from '../../words/index.js'
import { Field } from '../controls/form-fields.jsx'
import '../controls/controls.css'

/**
 * Whoever watches a tournament with a password is asked for it.
 *
 * @param {{wrong: boolean, onSay: (password: string) => void}} props wrong: another one was said before
 */
export function PasswordForm({ wrong, onSay }) {
  const [password, setPassword] = useState('')
  return (
    <form
      class="watch-password"
      aria-label={t('front.join.password')}
      onSubmit={(event) => {
        event.preventDefault()
        onSay(password)
      }}
    >
      <p>{t('race.password.text')}</p>
      <Field
        label={t('front.join.password')}
        value={password}
        onInput={setPassword}
        error={wrong ? t('race.password.wrong') : null}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxlength={100}
        required
      />
      <div class="row row-end">
        <button class="button button-main">{t('front.watch')}</button>
      </div>
    </form>
  )
}
