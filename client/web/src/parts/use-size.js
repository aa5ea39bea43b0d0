import { useEffect, useRef, useState } from 'preact/hooks'

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
