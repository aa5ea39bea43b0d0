/** The keys of the pages with the boards of others, for their help. */
import { t } from '../words/translate.js'

/** @import { KeyText } from './key-help.js' */

/** @param {string} arrows @returns {KeyText[]} */
const boardKeys = (arrows) => [
  ['1 … 9', t('watch.keys.pick')],
  [arrows, t('watch.keys.boards')],
  [t('watch.keys.pageKeys'), t('watch.keys.pages')],
  [t('race.key.enter'), t('watch.keys.alone')],
  [`0, G, ${t('race.key.escape')}`, t('watch.keys.all')],
]

/** @returns {KeyText[]} */
export const watchKeys = () => [
  ...boardKeys('← → ↑ ↓'),
  ['R', t('watch.keys.chart')],
  ['N', t('watch.keys.read')],
  ['T', t('watch.keys.tour')],
  [t('race.key.space'), t('watch.keys.pause')],
  ['C', t('more.keys.chat')],
  ['?', t('more.keys.help')],
]

/** @returns {KeyText[]} */
export const replayKeys = () => [
  [t('race.key.space'), t('watch.keys.play')],
  ['← →', t('watch.keys.seconds')],
  [', .', t('watch.keys.move')],
  ['[ ]', t('watch.keys.event')],
  [t('watch.keys.endKeys'), t('watch.keys.ends')],
  ['− +', t('watch.keys.speed')],
  ['S', t('watch.keys.align')],
  ...boardKeys('↑ ↓'),
  ['?', t('more.keys.help')],
]
