import { useEffect } from 'preact/hooks'

/** Plays a video until the returned function is called. @param {Promise<typeof import('./unseen-video.js')>} coming */
function stoppable(coming) {
  let over = false
  const playing = coming.then(({ playUnseen }) => (over ? () => {} : playUnseen()))
  return () => {
    over = true
    playing.then((stop) => stop())
  }
}

/** Keeps the screen on while the page is visible, if the browser can. @param {boolean} on */
export function useWakeLock(on) {
  useEffect(() => {
    if (!on) return
    if (!navigator.wakeLock) return stoppable(import('./unseen-video.js')) // over plain http, or in an older browser
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

/** Counts down in the title of the browser tab, for players who look at another tab. @param {number} left seconds */
export function useCountdownTitle(left) {
  useEffect(() => {
    if (left <= 0) return
    // The title of the page (`usePageTitle`) may change at any time.
    const plain = () => document.title.replace(/^\d+ … /, '')
    document.title = `${left} … ${plain()}`
    return () => (document.title = plain())
  }, [left])
}

/** Marks the document while a part is shown, for style sheets: browsers of 2021 have no `:has`. @param {string} part */
export function useMark(part) {
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset.shows = part
    return () => {
      delete dataset.shows
    }
  }, [part])
}
