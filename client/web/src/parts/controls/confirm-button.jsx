import { useState } from 'preact/hooks'
import { t } from '../../words/translate.js'
import './controls.css'

/** For a `ref`: moves the focus to a new element. @param {HTMLElement | null} element */
export const focus = (element) => element?.focus()

/** @typedef {'race.hold'} AlsoWords */

/**
 * A button that asks for confirmation in its own place before an action that has no undo.
 * @param {object} props @param {string} props.question @param {string} props.yes @param {(also: boolean) => void} props.onYes
 * @param {AlsoWords | undefined} [props.also] a second choice, off at first
 * @param {any} props.children @param {string} [props.class] @param {boolean} [props.disabled] @param {string} [props.label]
 */
export function ConfirmButton({ question, yes, onYes, also, children, disabled, label, ...rest }) {
  const [asking, setAsking] = useState(/** @type {boolean | null} */ (null))
  const [isAlso, setIsAlso] = useState(false)
  if (!asking) {
    return (
      <button
        type="button"
        class={rest.class ?? 'button button-quiet'}
        aria-label={label}
        title={label}
        ref={asking === false ? focus : null}
        disabled={disabled}
        onClick={() => {
          setIsAlso(false)
          setAsking(true)
        }}
      >
        {children}
      </button>
    )
  }
  const answer = (/** @type {boolean} */ sure) => {
    setAsking(false)
    if (sure) onYes(isAlso)
  }
  return (
    <span class="ask" role="group" aria-label={question} onKeyDown={(event) => event.key === 'Escape' && answer(false)}>
      <span class="ask-question">{question}</span>
      {also && <Also words={also} on={isAlso} onChange={setIsAlso} />}
      <button type="button" class="button button-danger button-small" onClick={() => answer(true)}>
        {yes}
      </button>
      <button type="button" class="button button-small" ref={focus} onClick={() => answer(false)}>
        {t('front.no')}
      </button>
    </span>
  )
}

/** The extra choice when the host removes a player: also block the address of that player. */
export const HOLD = 'race.hold'

/** @param {{words: AlsoWords, on: boolean, onChange: (on: boolean) => void}} props */
export const Also = ({ words, on, onChange }) => (
  <label class="ask-also">
    <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} /> {t(words)}
  </label>
)
