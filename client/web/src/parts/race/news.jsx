import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { createOrder, NEWS_EVERY, newsBetween, newsOfAll, passedText } from '../../model/race/news.js'
import { SIGNS } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { useSite } from '../hooks.js'
import { useShortcuts } from '../keyboard.js'

/** @import { Lane } from '../../model/race/room-view.js' */

const MOST_SIGNS = 3 // the most signs that are spoken together

/** Reads rivals' progress to screen readers, every few seconds or after a key. @param {{lanes: Lane[], seat: number}} props */
export function News({ lanes, seat }) {
  const { session } = useSite()
  /** @type {() => string} in the language in use, which may be another one when it is shown */
  const nothing = () => ''
  const [said, setSaid] = useState(() => nothing)
  const latest = useRef(lanes)
  latest.current = lanes
  useEffect(() => {
    let told = latest.current
    const order = createOrder()
    order(told, seat)
    /** The signs of racers since the last news. @type {string[]} */
    let signs = []
    const stop = effect(() => {
      for (const [who, sign] of session.reactions.value?.racers ?? []) {
        const name = latest.current.find((lane) => lane.seat === who)?.name
        if (who !== seat && name && signs.length < MOST_SIGNS)
          signs.push(t('more.news.reacts', { name, sign: t(`more.reactions.${SIGNS[sign]}`) }))
      }
    })
    const timer = setInterval(() => {
      const [before, after] = [told, latest.current]
      const passed = order(after, seat)
      const heard = signs
      signs = []
      setSaid(
        () => () =>
          [...heard, passed && passedText(passed.kind, passed.names), newsBetween(before, after, seat)].join(' ').trim(),
      )
      told = after
    }, NEWS_EVERY)
    return () => {
      stop()
      clearInterval(timer)
    }
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
