/** The texts of the usual rules of a race, which few read. */
import { t } from '../../words/translate.js'
import { durationText, limitText } from './rule-texts.js'

/** @import { Settings } from '../../protocol/protocol.d.ts' */
/** @import { Rule } from './rule-texts.js' */

/** What spectators see, and the consequences for racers. @param {Settings['watch']} watch @param {number} delay seconds */
export const watchText = (watch, delay) =>
  watch === 'delayed' ? t('more.watch.delayed', { delay: durationText(delay) }) : t(`more.watch.${watch}`)

/** @param {Settings} settings */
const watchRule = ({ watching, watch, delay }) =>
  t(`more.rule.watching.${watching}`) + (watching === 'nobody' ? '' : ` ${watchText(watch, delay)}`)

/** How long the others may play after the first win. @param {number} seconds */
export const afterWinText = (seconds) =>
  seconds ? t('more.rule.afterWin', { time: limitText(seconds) }) : t('more.rule.everybodyFinishes')

/** @param {Settings} settings @returns {Rule} */
const matchRule = ({ best_of }) => [t('race.rule.match'), t('more.rule.matchText', { count: (best_of + 1) / 2 })]

/** The rules of a race that `firstRules` does not have. @param {Settings} settings @returns {Rule[]} */
export const otherRules = (settings) => [
  [t('more.undoLabel'), t(`more.undo.${settings.undo}`)],
  [t('more.rule.hints'), t('more.rule.hintsText', { hints: settings.hints })],
  [t('race.rule.late'), t(`more.rule.late.${settings.late}`)],
  ...(settings.deal === 'secret' ? [/** @type {Rule} */ ([t('race.rule.deal'), t('more.rule.secretDeal')])] : []),
  [
    t('race.rule.start'),
    settings.auto_start
      ? t('more.rule.startAlone', { count: settings.countdown })
      : t('more.rule.startByHost', { count: settings.countdown }),
  ],
  ...(settings.best_of > 1 ? [matchRule(settings)] : []),
  [t('race.rule.watching'), watchRule(settings)],
  [t('more.rule.ranking'), t('more.rule.rankingText')],
]
