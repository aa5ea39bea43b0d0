import { t } from '../../words/translate.js'
import { useLater } from '../hooks.js'
import './toasts.css'

/** @typedef {'race.page.soundOn' | 'race.page.soundOff'} Note */

const NOTE_FOR = 2000 // how long a note of the page is shown, in ms

/** A short note of the page over the board. @param {{note: Note | null, onRead: () => void}} props onRead: called when it was shown */
export function Toasts({ note, onRead }) {
  useLater(onRead, NOTE_FOR, [note])
  return (
    <div class="toasts">
      <p class="toast" data-note role="status" hidden={!note}>
        {note && t(note)}
      </p>
    </div>
  )
}
