import { useEffect, useRef } from 'preact/hooks'
import { mayAct, meaningOf } from '../model/key-meaning.js'
import { useSite } from './hooks.js'

/**
 * @param {(event: KeyboardEvent, target: Element | null) => boolean} handle whether it handled the key
 * @param {boolean} capture whether it gets the keys before the boards, which then do not get those that it handles
 */
function useKeys(handle, capture) {
  const { prefs } = useSite()
  const latest = useRef(handle)
  latest.current = handle
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    function onKey(event) {
      const target = /** @type {Element | null} */ (event.target)
      if (!mayAct(event, prefs.altKeys.peek()) || !latest.current(event, target)) return
      event.preventDefault()
      if (capture) event.stopPropagation()
    }
    document.addEventListener('keydown', onKey, { capture })
    return () => document.removeEventListener('keydown', onKey, { capture })
  }, [])
}

/** Runs what belongs to a key. @param {Record<string, () => void>} keys @param {KeyboardEvent} event */
function pressed(keys, event) {
  const run = meaningOf(keys, event)
  run?.()
  return Boolean(run)
}

/** Keyboard shortcuts of a page. The board has its own. @param {Record<string, () => void>} keys */
export const useShortcuts = (keys) =>
  useKeys((event, target) => !target?.closest('input,textarea,select,dialog') && pressed(keys, event), false)

/** Elements that use keys themselves. */
const TYPED_IN = ['input:not([type="range"])', 'textarea', 'select', 'dialog'].join()
const PRESSED = ['button', 'a', 'summary', 'label'].join()
/** Sliders and focused boards handle arrow keys themselves. */
const MOVED_IN = 'input[type="range"], .ft-table, [role="log"], .scrolls'

/**
 * Keys of a page with boards of other players, handled before the boards, because these also use digits.
 * @param {(event: KeyboardEvent) => boolean} handle whether it handled the key
 */
export function useCapturedKeys(handle) {
  useKeys((event, target) => {
    if (target?.closest(TYPED_IN)) return false
    if ((event.key === ' ' || event.key === 'Enter') && target?.closest(PRESSED)) return false
    if (/^(Arrow|Home$|End$|Page)/.test(event.key) && target?.closest(MOVED_IN)) return false
    return handle(event)
  }, true)
}

/** The same for single keys. @param {Record<string, () => void>} keys */
export const useCapturedShortcuts = (keys) => useCapturedKeys((event) => pressed(keys, event))
