/** The keys of the board, for its help. */
import { t } from '../words/translate.js'

/** @typedef {readonly [key: string, text: string]} KeyText */

/** @returns {KeyText[]} */
const boardKeys = () => [
  ['← → ↑ ↓', t('more.keys.piles')],
  [t('race.key.enter'), t('more.keys.act')],
  ['↑ ↓', t('more.keys.count')],
  ['1 … 9, 0', t('more.keys.columns')],
  [t('more.keys.shiftDigits'), t('more.keys.lastColumns')],
  ['W', t('more.keys.waste')],
  [t('race.key.space'), t('more.keys.draw')],
  ['F', t('more.keys.home')],
  ['B', t('more.keys.best')],
  ['U', t('more.keys.undo')],
  ['R', t('more.keys.read')],
  ['H', t('more.keys.readFoundations')],
]

/** @returns {KeyText[]} */
export const raceKeys = () => [
  ...boardKeys(),
  ['T', t('more.keys.hint')],
  ['N', t('more.keys.others')],
  ['M', t('more.keys.sound')],
  ['C', t('more.keys.chat')],
  ['Z', t('more.keys.zen')],
  [t('race.key.escape'), t('more.keys.drop')],
  ['?', t('more.keys.help')],
]

/** The keys without other players. @returns {KeyText[]} */
export const practiceKeys = () => [
  ...boardKeys(),
  ['T', t('more.keys.hint')],
  [t('race.key.escape'), t('more.keys.dropOnly')],
  ['?', t('more.keys.help')],
]
