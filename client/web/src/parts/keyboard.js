import { useEffect, useRef } from 'preact/hooks'

/** Keyboard shortcuts of a page. The board has its own. @param {Record<string, () => void>} keys */
export function useShortcuts(keys) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    function onKey(event) {
      const target = /** @type {Element | null} */ (event.target)
      if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input,textarea,select,dialog')) return
      const run = latest.current[event.key.toLowerCase()]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Keys of a page with boards of other players, handled before the boards. */

/** Elements that use keys themselves. */
const TYPED_IN = ['input:not([type="range"])', 'textarea', 'select', 'dialog'].join()
const PRESSED = ['button', 'a', 'summary', 'label'].join()
/** Sliders and focused boards handle arrow keys themselves. */
const MOVED_IN = 'input[type="range"], .ft-table, [role="log"], .scrolls'

/**
 * @param {(event: KeyboardEvent) => boolean} handle whether it handled the key
 */
export function useCapturedKeys(handle) {
  const latest = useRef(handle)
  latest.current = handle
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    function onKey(event) {
      const target = /** @type {Element | null} */ (event.target)
      if (event.ctrlKey || event.metaKey || event.altKey || target?.closest(TYPED_IN)) return
      if ((event.key === ' ' || event.key === 'Enter') && target?.closest(PRESSED)) return
      if (/^(Arrow|Home$|End$|Page)/.test(event.key) && target?.closest(MOVED_IN)) return
      if (!latest.current(event)) return
      // In the capture phase, because boards also use digits.
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}
