import { useEffect, useRef, useState } from 'preact/hooks'
import { NEWS_EVERY, newsBetween, newsOfAll } from '../model/rival-news.js'
import { useKeys } from './use-keys.js'

/** @typedef {import('../model/room-view.js').Lane} Lane */

/**
 * Tells those who listen what their rivals are doing, politely and not too often, or when they ask by the key N.
 *
 * @param {{lanes: Lane[], seat: number}} props
 */
export function News({ lanes, seat }) {
  const [text, setText] = useState('')
  const latest = useRef(lanes)
  latest.current = lanes
  useEffect(() => {
    let told = latest.current
    const timer = setInterval(() => {
      setText(newsBetween(told, latest.current, seat))
      told = latest.current
    }, NEWS_EVERY)
    return () => clearInterval(timer)
  }, [seat])
  // The same words again would not be noticed as a change.
  useKeys({ n: () => setText((before) => newsOfAll(lanes, seat) + (before.endsWith('\u00a0') ? '' : '\u00a0')) })
  return (
    <p class="heard" role="status" aria-live="polite" data-part="news">
      {text}
    </p>
  )
}
