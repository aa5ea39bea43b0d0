import { useEffect, useRef } from 'preact/hooks'

/** Keys of a page; the board has its own. @param {Record<string, () => void>} keys */
export function useKeys(keys) {
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
