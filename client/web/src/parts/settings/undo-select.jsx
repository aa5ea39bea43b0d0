import { undoText } from '../../model/words.js'
import { t } from '../../words/index.js'
import { Select } from '../controls/form-fields.jsx'

/** @import { Settings } from '../../model/protocol.d.ts' */

/** @typedef {Settings['undo']} Undo */

const UNDOS = /** @type {const} */ (['none', 'turned', 'free'])

/** What may be taken back in a race. @param {{value: Undo, onPick: (undo: Undo) => void}} props */
export const UndoSelect = ({ value, onPick }) => (
  <Select
    label={t('race.undoLabel')}
    value={value}
    options={UNDOS.map((undo) => /** @type {const} */ ([undo, t(`race.undoOption.${undo}`)]))}
    onPick={onPick}
    hint={undoText(value)}
  />
)
