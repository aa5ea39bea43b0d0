import { t } from '../../words/translate.js'
import { option, Select } from '../controls/form-fields.jsx'

/** @import { Settings } from '../../protocol/protocol.d.ts' */

const UNDOS = /** @type {const} */ (['none', 'turned', 'free'])

/** The rule for undo. @param {{value: Settings['undo'], onPick: (undo: Settings['undo']) => void}} props */
export const UndoSelect = ({ value, onPick }) => (
  <Select
    label={t('more.undoLabel')}
    value={value}
    options={UNDOS.map((undo) => option(undo, t(`more.undoOption.${undo}`)))}
    onPick={onPick}
    hint={t(`more.undo.${value}`)}
  />
)
