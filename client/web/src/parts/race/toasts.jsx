import { finishText } from '../../model/format.js'
import { rivalWins } from '../../model/race/rivals.js'
import { Rich } from '../../words/sentence.jsx'
import { t } from '../../words/translate.js'
import { Icon } from '../controls/icon.jsx'
import { useLater, useNow } from '../hooks.js'
import './toasts.css'

/** @import { View } from '../../protocol/protocol.d.ts' */

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
