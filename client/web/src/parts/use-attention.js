import { useEffect } from 'preact/hooks'

/** Keeps the screen awake, where the browser can and the page is seen. @param {boolean} on */
export function useAwake(on) {
  useEffect(() => {
    if (!on || !navigator.wakeLock) return
    /** @type {WakeLockSentinel | null} */
    let lock = null
    let over = false
    const ask = async () => {
      if (document.hidden || over || lock?.released === false) return
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

/** The tab's title: it counts down, for whoever looks at another tab. @param {number} left seconds */
export function useTitle(left) {
  useEffect(() => {
    if (left <= 0) return
    // The page around this one may give the document another title at any time.
    const plain = () => document.title.replace(/^\d+ … /, '')
    document.title = `${left} … ${plain()}`
    return () => {
      document.title = plain()
    }
  }, [left])
}
