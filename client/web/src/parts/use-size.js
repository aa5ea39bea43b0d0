import { useEffect, useState } from 'preact/hooks'

/** How much room there is, px. @param {{current: HTMLElement | null}} place */
export function useSize(place) {
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
  return size
}
