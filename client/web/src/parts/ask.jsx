import { useState } from 'preact/hooks'

/**
 * A button that asks once before it does something that cannot be undone, in its own place.
 *
 * @param {{question: string, yes: string, onYes: () => void, children: any, class?: string, disabled?: boolean, label?: string}} props
 */
export function Ask({ question, yes, onYes, children, disabled, label, ...rest }) {
  const [asking, setAsking] = useState(false)
  if (!asking) {
    return (
      <button
        type="button"
        class={rest.class ?? 'button button-quiet'}
        aria-label={label}
        title={label}
        disabled={disabled}
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
    )
  }
  const answer = (/** @type {boolean} */ sure) => {
    setAsking(false)
    if (sure) onYes()
  }
  return (
    <span class="ask" role="group" aria-label={question} onKeyDown={(event) => event.key === 'Escape' && answer(false)}>
      <span class="ask-question">{question}</span>
      <button type="button" class="button button-danger button-small" onClick={() => answer(true)}>
        {yes}
      </button>
      <button type="button" class="button button-small" ref={(button) => button?.focus()} onClick={() => answer(false)}>
        No
      </button>
    </span>
  )
}
