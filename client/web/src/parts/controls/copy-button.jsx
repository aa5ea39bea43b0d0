import { useState } from 'preact/hooks'
import { copy } from '../../browser/clipboard.js'
import { t } from '../../words/translate.js'
import { useLater } from '../hooks.js'
import { Icon } from './icon.jsx'

/** How long a button shows its result, in ms. */
const SAID_FOR = 2500

/**
 * Copies a text. The first value tells for a moment whether that worked, and is null otherwise.
 * @returns {[boolean | null, (text: string) => Promise<void>]}
 */
export function useCopied() {
  const [copied, setCopied] = useState(/** @type {boolean | null} */ (null))
  useLater(() => setCopied(null), SAID_FOR, [copied])
  return [copied, async (text) => setCopied(await copy(text))]
}

/** A button that copies a text. @param {{text: string, label: string, class?: string}} props */
export function CopyButton({ text, label, ...rest }) {
  const [copied, put] = useCopied()
  return (
    <button type="button" class={rest.class ?? 'button'} onClick={() => put(text)}>
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied === null ? label : t(copied ? 'front.copied' : 'race.copyByHand')}</span>
    </button>
  )
}
