import { useState } from 'preact/hooks'
import { t } from '../../words/translate.js'
import { PasswordField } from '../controls/form-fields.jsx'
import { instead } from '../hooks.js'
import '../controls/controls.css'

/** For spectators of a tournament. @param {{wrong: boolean, onSay: (password: string) => void}} props wrong: the last one was */
export function PasswordForm({ wrong, onSay }) {
  const [password, setPassword] = useState('')
  return (
    <form class="watch-password" aria-label={t('front.join.password')} onSubmit={instead(() => onSay(password))}>
      <p>{t('race.password.text')}</p>
      <PasswordField value={password} onInput={setPassword} error={wrong ? t('race.password.wrong') : null} />
      <div class="row row-end">
        <button class="button button-main">{t('front.watch')}</button>
      </div>
    </form>
  )
}
