import { useState } from 'preact/hooks'
import { Button } from '../parts/controls/button.jsx'
import { Also, focus } from '../parts/controls/confirm-button.jsx'
import { Field } from '../parts/controls/form-fields.jsx'
import { t } from '../words/translate.js'
import './ask-why.css'

/** @import { AlsoWords } from '../parts/controls/confirm-button.jsx' */

/** The first field of a form. @param {HTMLFormElement | null} form */
const focusFirst = (form) => form?.querySelector('input')?.focus()

/**
 * A button for an action with a public reason, which it asks for.
 * @param {object} props
 * @param {string} props.label @param {string} props.yes
 * @param {string} props.question
 * @param {boolean} [props.needed] a reason has to be given
 * @param {boolean} [props.ready] whether the other fields are filled in
 * @param {AlsoWords | undefined} [props.also] an additional option, off by default
 * @param {(reason: string, also: boolean) => void} props.onYes
 * @param {any} [props.children] other fields
 * @param {string} [props.class]
 * @param {boolean} [props.disabled]
 */
export function AskWhy({ label, yes, question, needed = false, ready = true, also, onYes, children, disabled, ...rest }) {
  const [isAlso, setIsAlso] = useState(false)
  const [reason, setReason] = useState(/** @type {string | null | undefined} */ (undefined))
  if (reason == null) {
    return (
      <button
        type="button"
        class={rest.class ?? 'button'}
        ref={reason === null ? focus : null}
        disabled={disabled}
        onClick={() => setReason('')}
      >
        {label}
      </button>
    )
  }
  return (
    <form
      class="ask-why"
      ref={focusFirst}
      aria-label={question}
      onSubmit={(event) => {
        event.preventDefault()
        setReason(null)
        onYes(reason.trim(), isAlso)
      }}
    >
      <p>{question}</p>
      {children}
      <Field
        label={needed ? t('tournament.desk.why') : t('tournament.desk.whyOptional')}
        value={reason}
        onInput={setReason}
        required={needed}
        maxlength={200}
        dir="auto"
      />
      {also && <Also words={also} on={isAlso} onChange={setIsAlso} />}
      <div class="row">
        <Button type="submit" kind="danger small" text={yes} disabled={!ready || (needed && !reason.trim())} />
        <Button kind="small" text={t('front.no')} onClick={() => setReason(null)} />
      </div>
    </form>
  )
}
