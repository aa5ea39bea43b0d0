import { useState } from 'preact/hooks'
import { Field } from './form-fields.jsx'
import './password-form.css'

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
      aria-label="Password"
      onSubmit={(event) => {
        event.preventDefault()
        onSay(password)
      }}
    >
      <p>This tournament asks whoever watches for its password. Its host knows it.</p>
      <Field
        label="Password"
        value={password}
        onInput={setPassword}
        error={wrong ? 'That is not it.' : null}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxlength={100}
        required
      />
      <div class="row row-end">
        <button class="button button-main">Watch</button>
      </div>
    </form>
  )
}
