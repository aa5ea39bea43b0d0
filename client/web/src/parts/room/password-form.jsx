import { useState } from 'preact/hooks'
import { t } from '../../words/translate.js'
import { PasswordField } from '../controls/form-fields.jsx'
import { instead, useSite } from '../hooks.js'
import '../controls/controls.css'

/** For spectators of a tournament that refused the last password, or none. */
export function PasswordForm() {
  const { visit } = useSite()
  const [password, setPassword] = useState('')
  return (
    <form class="watch-password" aria-label={t('front.join.password')} onSubmit={instead(() => visit.watch(password))}>
      <p>{t('watch.password.text')}</p>
      <PasswordField value={password} onInput={setPassword} error={visit.said.value ? t('watch.password.wrong') : null} />
      <div class="row row-end">
        <button class="button button-main">{t('front.watch')}</button>
      </div>
    </form>
  )
}
