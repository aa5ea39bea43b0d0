/** The keys of the pages, for their help. */
import { t } from '../words/translate.js'

/** @typedef {readonly [key: string, text: string]} KeyText */

/** The keys of the player's own board. @returns {KeyText[]} */
const boardKeys = () => [
  ['← → ↑ ↓', t('more.keys.piles')],
  [t('more.key.enter'), t('more.keys.act')],
  ['↑ ↓', t('more.keys.count')],
  ['1 … 9, 0', t('more.keys.columns')],
  [t('more.keys.shiftDigits'), t('more.keys.lastColumns')],
  ['W', t('more.keys.waste')],
  [t('more.key.space'), t('more.keys.draw')],
  ['V', t('more.keys.spread')],
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
  [t('more.key.escape'), t('more.keys.drop')],
  ['?', t('more.keys.help')],
]

/** The keys without other players. @returns {KeyText[]} */
export const practiceKeys = () => [
  ...boardKeys(),
  ['Y', t('more.keys.redo')],
  ['T', t('more.keys.hint')],
  [t('more.key.escape'), t('more.keys.dropOnly')],
  ['?', t('more.keys.help')],
]

/** The keys that choose among the boards of others. @param {string} arrows @returns {KeyText[]} */
const othersKeys = (arrows) => [
  ['1 … 9', t('watch.keys.pick')],
  [arrows, t('watch.keys.boards')],
  [t('watch.keys.pageKeys'), t('watch.keys.pages')],
  [t('more.key.enter'), t('watch.keys.alone')],
  [`0, G, ${t('more.key.escape')}`, t('watch.keys.all')],
]

/** @returns {KeyText[]} */
export const watchKeys = () => [
  ...othersKeys('← → ↑ ↓'),
  ['R', t('watch.keys.chart')],
  ['N', t('watch.keys.read')],
  ['T', t('watch.keys.tour')],
  [t('more.key.space'), t('watch.keys.pause')],
  ['C', t('more.keys.chat')],
  ['?', t('more.keys.help')],
]

/** @returns {KeyText[]} */
export const replayKeys = () => [
  [t('more.key.space'), t('watch.keys.play')],
  ['← →', t('watch.keys.seconds')],
  [', .', t('watch.keys.move')],
  ['[ ]', t('watch.keys.event')],
  [t('watch.keys.endKeys'), t('watch.keys.ends')],
  ['− +', t('watch.keys.speed')],
  ['S', t('watch.keys.align')],
  ...othersKeys('↑ ↓'),
  ['?', t('more.keys.help')],
]
