/** Texts of the rules of a race and of its results. */
import { t } from '../../words/translate.js'
import { clockText } from '../format.js'
import { gameName, isWinnable, starsOf, starsText } from '../game-texts.js'

/** @import { Settings } from '../../protocol/protocol.d.ts' */
/** @import { RacerState } from './room-view.js' */

/** What spectators see, and the consequences for racers. @param {Settings['watch']} watch @param {number} delay seconds */
export const watchText = (watch, delay) =>
  watch === 'delayed' ? t('race.watch.delayed', { delay: durationText(delay) }) : t(`race.watch.${watch}`)

/** `2 minutes`, `90 seconds`. @param {number} seconds */
export const durationText = (seconds) =>
  seconds % 60 === 0 ? t('race.minutes', { count: seconds / 60 }) : t('race.seconds', { count: seconds })

/** @param {Settings} settings */
const watchRule = ({ watching, watch, delay }) =>
  t(`race.watching.${watching}`) + (watching === 'nobody' ? '' : ` ${watchText(watch, delay)}`)

/** `20 minutes`, `2:30 minutes`. @param {number} seconds */
export const limitText = (seconds) =>
  seconds % 60 === 0 ? durationText(seconds) : t('race.minutesAndSeconds', { time: clockText(seconds * 1000) })

/** How long the others may play after the first win. @param {number} seconds */
export const afterWinText = (seconds) =>
  seconds ? t('race.afterWin', { time: limitText(seconds) }) : t('race.everybodyFinishes')

/** @param {Pick<Settings, 'deal'>} settings */
export function dealText({ deal }) {
  if (deal === 'secret') return t('race.deal.secret')
  if (isWinnable(deal)) return t('race.deal.winnable', { stars: starsText(starsOf(deal)) })
  return t('race.deal.numbered', { number: deal })
}

/** @param {Settings} settings @returns {[term: string, text: string]} */
const matchRule = ({ best_of }) => [t('race.rule.match'), t('race.rule.matchText', { count: (best_of + 1) / 2 })]

/** All rules of a race. @param {Settings} settings @returns {[term: string, text: string][]} */
export const raceRules = (settings) => [
  [t('front.game'), gameName(settings.game)],
  [t('race.results.time'), t('race.rule.timeText', { time: limitText(settings.time_limit) })],
  [
    t('race.rule.firstWin'),
    settings.after_win
      ? t('race.rule.afterWinText', { time: limitText(settings.after_win) })
      : t('race.rule.everybodyFinishesText'),
  ],
  [t('race.undoLabel'), t(`race.undo.${settings.undo}`)],
  [t('race.rule.hints'), t('race.rule.hintsText', { hints: settings.hints })],
  [t('race.rule.late'), t(`race.late.${settings.late}`)],
  [t('race.rule.deal'), dealText(settings)],
  [
    t('race.rule.start'),
    settings.auto_start
      ? t('race.rule.startAlone', { count: settings.countdown })
      : t('race.rule.startByHost', { count: settings.countdown }),
  ],
  ...(settings.best_of > 1 ? [matchRule(settings)] : []),
  [t('race.rule.watching'), watchRule(settings)],
  [t('race.rule.ranking'), t('race.ranking')],
]

/** `40 cards on the foundations`. @param {number} count */
export const homeText = (count) => t('race.cardsHome', { count })

/** @param {RacerState} state @param {boolean} [early] whether the race was ended before its time */
export const stateText = (state, early = false) => t(early && state === 'timed_out' ? 'race.state.ended' : `race.state.${state}`)

/** A place in short form, for a column or a medal: `1st`, `2nd`, `11th`. @param {number} place */
export const placeCell = (place) => t('race.placeCell', { place })
