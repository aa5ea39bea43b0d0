import { useEffect, useState } from 'preact/hooks'

/** @typedef {import('../model/ready-deals.js').Ready} Ready */

/**
 * How many winnable deals the server has ready, as long as somebody looks at the page.
 *
 * @param {number} [every] ms between two looks; 0: only one
 * @returns {Ready | null} null: not known yet
 */
export function useReadyDeals(every = 0) {
  const [found, setFound] = useState(/** @type {Ready | null} */ (null))
  useEffect(() => {
    let alive = true
    async function look() {
      if (document.hidden) return
      try {
        const answer = await fetch('/api/winnable')
        const ready = answer.ok ? await answer.json() : null
        if (alive && ready) setFound(ready)
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
  }, [every])
  return found
}
