/** The texts of a replay. */
import { t } from '../../words/translate.js'
import { cardText } from '../card-text.js'
import { clockText, finishText, listText } from '../format.js'
import { homeText } from '../race/rule-texts.js'

/** @import { Racer } from '../../record/race-record.js' */
/** @import { RacerState } from '../race/room-view.js' */
/** @import { Happening } from './happenings.js' */

/** A position on its axis, as a number. @param {'time' | 'stock'} along @param {number} position */
export const figureText = (along, position) => (along === 'time' ? clockText(position) : String(Math.floor(position + 1e-9)))

/** A position on its axis, as text. @param {'time' | 'stock'} along @param {number} position */
export const positionText = (along, position) =>
  along === 'time' ? figureText(along, position) : t('watch.transport.card', { card: figureText(along, position) })

/** `A, B and C`; more than three names end with the number of others. @param {string[]} names */
export const listed = (names) =>
  listText(names.length > 3 ? [...names.slice(0, 2), t('race.others', { count: names.length - 2 })] : names)

/** The end without a win. @param {Exclude<RacerState, 'racing' | 'solved'>} state @param {string} name @param {number} home */
export const endedText = (state, name, home) => t(`watch.ended.${state}`, { name, cards: homeText(home) })

/** A happening without its time. @param {Happening} happening @param {(seat: number) => Racer} racerAt @returns {string} */
export function happeningText({ kind, seat, others = [], leads, cards = [], stock = 0, ms }, racerAt) {
  const { name, state, home, place } = racerAt(seat)
  if (kind === 'overtook') {
    const passed = { name, others: listed(others.map((other) => racerAt(other).name)) }
    return leads ? t('watch.news.passedAndLed', passed) : t('watch.news.passed', passed)
  }
  if (kind === 'revealed') {
    const revealed = listed(cards.map(cardText))
    return stock ? t('watch.news.drew', { name, cards: revealed, stock }) : t('watch.news.revealed', { name, cards: revealed })
  }
  if (kind !== 'ended') return t(`watch.news.${kind === 'gave_up' ? 'gives_up' : kind}`, { name })
  if (state !== 'solved') return endedText(/** @type {any} */ (state), name, home)
  return t(place === 1 ? 'race.wonIn' : 'watch.ended.finished', { name, time: finishText(ms) })
}
