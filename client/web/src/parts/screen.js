import { useEffect, useRef, useState } from 'preact/hooks'

/** Plays a video that nobody sees, which keeps the screen on. @returns {() => void} stops it */
function playUnseen() {
  const canvas = document.createElement('canvas')
  if (!canvas.captureStream) return () => {}
  const pen = canvas.getContext('2d')
  const stream = canvas.captureStream(1)
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, srcObject: stream })
  video.className = 'unseen'
  video.setAttribute('aria-hidden', 'true')
  document.body.append(video)
  // A picture that never changes has no frames.
  const drawing = setInterval(() => pen?.fillRect(0, 0, 1, 1), 1000)
  const play = () => void (document.hidden || video.play().catch(() => {}))
  play()
  document.addEventListener('visibilitychange', play)
  return () => {
    clearInterval(drawing)
    document.removeEventListener('visibilitychange', play)
    for (const track of stream.getTracks()) track.stop()
    video.remove()
  }
}

/** Keeps the screen on while the page is visible, if the browser can. @param {boolean} on */
export function useWakeLock(on) {
  useEffect(() => {
    if (!on) return
    if (!navigator.wakeLock) return playUnseen() // over plain http, or in an older browser
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

/** The size in px of the element that has `place` as its `ref`. */
export function useSize() {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null))
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = place.current
    if (!element) return
    const look = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    look()
    return () => watcher.disconnect()
  }, [])
  return { place, ...size }
}
