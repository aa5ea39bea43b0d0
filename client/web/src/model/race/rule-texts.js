/** Texts of the rules of a race and of its results. */
import { t } from '../../words/translate.js'
import { clockText } from '../format.js'
import { gameName, isWinnable, starsOf, starsText } from '../game-texts.js'

/** @import { Settings } from '../../protocol/protocol.d.ts' */
/** @import { RacerState } from './room-view.js' */

/** `2 minutes`, `90 seconds`. @param {number} seconds */
export const durationText = (seconds) =>
  seconds % 60 === 0 ? t('race.minutes', { count: seconds / 60 }) : t('race.seconds', { count: seconds })

/** `20 minutes`, `2:30 minutes`. @param {number} seconds */
export const limitText = (seconds) =>
  seconds % 60 === 0 ? durationText(seconds) : t('race.minutesAndSeconds', { time: clockText(seconds * 1000) })

/** A rule and its text. @typedef {[term: string, text: string]} Rule */

/** A deal that is not secret, or is winnable. @param {Pick<Settings, 'deal'>} settings */
export const dealText = ({ deal }) =>
  isWinnable(deal) ? t('race.deal.winnable', { stars: starsText(starsOf(deal)) }) : t('race.deal.numbered', { number: deal })

/** @param {Settings} settings @returns {Rule} */
const dealRule = (settings) => [t('race.rule.deal'), dealText(settings)]

/** The rules of a race that surprise first; `otherRules` has the rest. @param {Settings} settings @returns {Rule[]} */
export const firstRules = (settings) => [
  [t('front.game'), gameName(settings.game)],
  ...(settings.deal === 'secret' ? [] : [dealRule(settings)]),
  [t('race.results.time'), t('race.rule.timeText', { time: limitText(settings.time_limit) })],
  [
    t('race.rule.firstWin'),
    settings.after_win
      ? t('race.rule.afterWinText', { time: limitText(settings.after_win) })
      : t('race.rule.everybodyFinishesText'),
  ],
]

/** `40 cards on the foundations`. @param {number} count */
export const homeText = (count) => t('race.cardsHome', { count })

/** @param {RacerState} state @param {boolean} [early] whether the race was ended before its time */
export const stateText = (state, early = false) => t(early && state === 'timed_out' ? 'race.state.ended' : `race.state.${state}`)

/** A place in short form, for a column or a medal: `1st`, `2nd`, `11th`. @param {number} place */
export const placeCell = (place) => t('race.placeCell', { place })

/** That opponents were found in another game than the wanted one, or "". @param {Settings} settings @param {string} wanted */
export const otherGameText = ({ seeking, game }, wanted) =>
  seeking && game !== wanted ? t('race.page.otherGame', { game: gameName(game), wanted: gameName(wanted) }) : ''
