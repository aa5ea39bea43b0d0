import { useEffect, useRef, useState } from 'preact/hooks'
import { finishText } from '../../model/format.js'
import { NEWS_EVERY, newsBetween, newsOfAll, rivalWins } from '../../model/race/rivals.js'
import { Rich } from '../../words/sentence.jsx'
import { t } from '../../words/translate.js'
import { Icon } from '../controls/icon.jsx'
import { useLater, useNow } from '../hooks.js'
import { useShortcuts } from '../keyboard.js'
import './toasts.css'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Lane } from '../../model/race/room-view.js' */

/** @typedef {'race.page.soundOn' | 'race.page.soundOff'} Note */

const SHOWN_FOR = 6000 // how long a rival's win is shown, in ms
const NOTE_FOR = 2000 // how long a note of the page is shown, in ms

/**
 * Short messages over the board: a rival's win, or a note of the page. Screen readers get the wins from `News`.
 * @param {{view: View, seat: number, note: Note | null, onRead: () => void}} props onRead: called when the note has been shown
 */
export function Toasts({ view, seat, note, onRead }) {
  useLater(onRead, NOTE_FOR, [note])
  const toasts = useNow(250, (now) => rivalWins(view, seat).filter(({ at }) => now - at < SHOWN_FOR))
  return (
    <div class="toasts">
      <p class="toast" data-note role="status" hidden={!note}>
        {note && t(note)}
      </p>
      {toasts.map(({ seat, name, ms }) => (
        <p key={seat} class="toast" data-part="toast" aria-hidden="true">
          <Icon name="crown" />
          <span>
            <Rich id="race.wonIn" with={{ name: <bdi>{name}</bdi>, time: finishText(ms) }} />
          </span>
        </p>
      ))}
    </div>
  )
}

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
