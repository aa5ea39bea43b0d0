import { useState } from 'preact/hooks'
import { REASON_LENGTH } from '../model/tournament/plan-constants.js'
import { Button } from '../parts/controls/button.jsx'
import { Also, focus } from '../parts/controls/confirm-button.jsx'
import { Field, Form } from '../parts/controls/form-fields.jsx'
import { t } from '../words/translate.js'
import './ask-why.css'

/** @import { AlsoWords } from '../parts/controls/confirm-button.jsx' */

/** The first field of a form. @param {HTMLFormElement | null} form */
const focusFirst = (form) => form?.querySelector('input')?.focus()

/**
 * A button for an action with a public reason, which it asks for.
 * @param {{label: string, yes: string, question: string, needed?: boolean, ready?: boolean, also?: AlsoWords | undefined, onYes:
 *   (reason: string, also: boolean) => void, children?: any, kind?: string, disabled?: boolean}} props needed: a reason has to be
 *   given; ready: whether the other fields are filled in, which are its children; also: a second choice, off at first
 */
export function AskWhy({ label, yes, question, needed = false, ready = true, also, onYes, children, ...button }) {
  const [isAlso, setIsAlso] = useState(false)
  const [reason, setReason] = useState(/** @type {string | null | undefined} */ (undefined))
  if (reason == null) {
    return <Button {...button} text={label} ref={reason === null ? focus : null} onClick={() => setReason('')} />
  }
  const answer = () => {
    setReason(null)
    onYes(reason.trim(), isAlso)
  }
  return (
    <Form class="ask-why" ref={focusFirst} aria-label={question} onSubmit={answer}>
      <p>{question}</p>
      {children}
      <Field
        label={needed ? t('tournament.desk.why') : t('tournament.desk.whyOptional')}
        value={reason}
        onInput={setReason}
        required={needed}
        maxlength={REASON_LENGTH}
        dir="auto"
      />
      {also && <Also words={also} on={isAlso} onChange={setIsAlso} />}
      <div class="row">
        <Button type="submit" kind="danger small" text={yes} disabled={!ready || (needed && !reason.trim())} />
        <Button kind="small" text={t('front.no')} onClick={() => setReason(null)} />
      </div>
    </Form>
  )
}
