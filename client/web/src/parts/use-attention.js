import { useEffect } from 'preact/hooks'
import { useNow } from './hooks.js'

/** @typedef {import('../model/room-view.js').View} View */

/** Keeps the screen awake, where the browser can and the page is seen. @param {boolean} on */
export function useAwake(on) {
  useEffect(() => {
    if (!on || !navigator.wakeLock) return
    /** @type {WakeLockSentinel | null} */
    let lock = null
    let over = false
    const ask = async () => {
      if (document.hidden || over) return
      try {
        lock = await navigator.wakeLock.request('screen')
      } catch {
        return // the battery is low, or the browser does not want to
      }
      if (over) void lock.release()
    }
    void ask()
    document.addEventListener('visibilitychange', ask) // a hidden page loses it
    return () => {
      over = true
      document.removeEventListener('visibilitychange', ask)
      void lock?.release()
    }
  }, [on])
}

/**
 * The tab's title: it counts down, for whoever looks at another tab. @param {View} view
 */
export function useTitle(view) {
  const starts = view.race.over_at == null ? view.race.starts_at : null
  const left = useNow(200, (now) => (starts != null && starts > now ? Math.ceil((starts - now) / 1000) : 0))
  useEffect(() => {
    if (!left) return
    // The page around this one may give the document another title at any time.
    const plain = () => document.title.replace(/^\d+ … /, '')
    document.title = `${left} … ${plain()}`
    return () => {
      document.title = plain()
    }
  }, [left])
}
