import { useState } from 'preact/hooks'
import { t } from '../../words/translate.js'
import { useLater } from '../hooks.js'
import { Icon } from './icon.jsx'

const SAID_FOR = 2500 // how long a button shows its result, in ms

/**
 * For pages without the clipboard API, such as plain HTTP in a local network.
 * @param {string} text @returns {boolean} whether the clipboard has it
 */
function copyByHand(text) {
  const { activeElement } = document
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'heard'
  // Everything outside an open dialog is inert, so nothing there can be selected.
  const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  place.append(area)
  area.select()
  // The browser says that it has copied even when it had nothing to copy.
  const done = document.activeElement === area && document.execCommand('copy')
  area.remove()
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  return done
}

/** @param {string} text @returns {Promise<boolean>} whether it worked */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

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
