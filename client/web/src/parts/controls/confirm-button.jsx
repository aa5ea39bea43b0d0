import { useState } from 'preact/hooks'
import { t } from '../../words/translate.js'
import { Button } from './button.jsx'
import './controls.css'

/** @import { ButtonProps } from './button.jsx' */

/** For a `ref`: moves the focus to a new element. @param {HTMLElement | null} element */
export const focus = (element) => element?.focus()

/**
 * A button that asks for confirmation in its own place before an action that has no undo.
 * @param {ButtonProps & {question: string, yes?: string | undefined, onYes: (hold: boolean) => void, also?: any,
 *   mayHold?: boolean}} props yes: if it is not the text of the button; also: one more answer; mayHold: ask whether to block the address, too
 */
export function ConfirmButton({ question, onYes, mayHold, yes, also, ...button }) {
  const [asking, setAsking] = useState(/** @type {boolean | null} */ (null))
  const [hold, setHold] = useState(false)
  const ask = () => {
    setHold(false)
    setAsking(true)
  }
  if (!asking) return <Button title={button.label} ref={asking === false ? focus : null} {...button} onClick={ask} />
  const answer = (/** @type {boolean} */ sure) => {
    setAsking(false)
    if (sure) onYes(hold)
  }
  return (
    <span
      class={mayHold ? 'ask ask-wide' : 'ask'}
      role="group"
      aria-label={question}
      onKeyDown={(event) => event.key === 'Escape' && answer(false)}
    >
      <span class="ask-question">{question}</span>
      {mayHold && <Hold on={hold} onChange={setHold} />}
      <Button kind="danger small" onClick={() => answer(true)} text={yes ?? button.text ?? button.label} />
      {also}
      <Button kind="small" ref={focus} onClick={() => answer(false)} text={t('front.no')} />
    </span>
  )
}

/** The extra choice when the host removes a player: also block the address of that player. @param {{on: boolean, onChange: (on: boolean) => void}} props */
export const Hold = ({ on, onChange }) => (
  <label class="ask-also">
    <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} /> {t('race.hold')}
  </label>
)
