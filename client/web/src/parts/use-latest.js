import { useEffect, useState } from 'preact/hooks'

/**
 * What the server answers to anybody at a path, looked up as long as somebody looks at the page.
 *
 * @template T
 * @param {string} path
 * @param {number} [every] ms between two looks; 0: only when the page is shown
 * @returns {T | null} null: not known yet
 */
export function useLatest(path, every = 0) {
  const [found, setFound] = useState(/** @type {T | null} */ (null))
  useEffect(() => {
    let alive = true
    async function look() {
      if (document.hidden) return
      try {
        const answer = await fetch(path)
        const latest = answer.ok ? await answer.json() : null
        if (alive && latest) setFound(latest)
      } catch {
        // The server is not there; the banner about the lost connection says so.
      }
    }
    look()
    const timer = every ? setInterval(look, every) : undefined
    document.addEventListener('visibilitychange', look)
    return () => {
      alive = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [path, every])
  return found
}
