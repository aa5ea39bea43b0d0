import { useEffect, useRef, useState } from 'preact/hooks'
import { NEWS_EVERY, newsBetween, newsOfAll } from '../../model/race/rivals.js'
import { useShortcuts } from '../keyboard.js'

/** @import { Lane } from '../../model/race/room-view.js' */

/** Reads rivals' progress to screen readers, every few seconds or after a key. @param {{lanes: Lane[], seat: number}} props */
export function News({ lanes, seat }) {
  /** @type {() => string} in the language in use, which may be another one when it is shown */
  const nothing = () => ''
  const [said, setSaid] = useState(() => nothing)
  const latest = useRef(lanes)
  latest.current = lanes
  useEffect(() => {
    let told = latest.current
    const timer = setInterval(() => {
      const [before, after] = [told, latest.current]
      setSaid(() => () => newsBetween(before, after, seat))
      told = after
    }, NEWS_EVERY)
    return () => clearInterval(timer)
  }, [seat])
  // An empty text in between makes screen readers repeat the same words.
  useShortcuts({
    n: () =>
      setSaid((before) => {
        const end = before().endsWith('\u00a0') ? '' : '\u00a0'
        return () => newsOfAll(lanes, seat) + end
      }),
  })
  return (
    <p class="heard" role="status" aria-live="polite" data-part="news">
      {said()}
    </p>
  )
}
