import { UNDO } from '../model/words.js'
import { Select } from './form-fields.jsx'

/** @typedef {import('../model/room-view.js').Settings['undo']} Undo */

/** What may be taken back in a race. @param {{value: Undo, onPick: (undo: Undo) => void}} props */
export const UndoSelect = ({ value, onPick }) => (
  <Select
    label="Undo"
    value={value}
    options={[
      ['none', 'None'],
      ['turned', 'To the last turned card'],
      ['free', 'Free'],
    ]}
    onPick={onPick}
    hint={UNDO[value]}
  />
)
