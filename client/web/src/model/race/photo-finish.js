/** A photo finish: the first two racers were so close that nobody could tell who was ahead. */
import { language, t } from '../../words/translate.js'

/** @import { Lane } from './room-view.js' */
/** @typedef {{seats: number[], isTime: boolean, gap: number}} Photo gap: in seconds if `isTime`, else in cards */

/** Two wins within this time, in ms; or this many cards between two racers whose time ran out. */
const CLOSE = { ms: 3000, cards: 1 }

/**
 * @param {readonly Lane[]} lanes in the order of the race @param {number | null} [behind] the cards between the winner and the next
 *   racer at the moment of the win, if they are known
 * @returns {Photo | null}
 */
export function photoFinish([first, second], behind = null) {
  if (!first || !second) return null
  const seats = [first.seat, second.seat]
  if (first.state === 'solved' && second.state === 'solved') {
    const ms = (second.ms ?? Infinity) - (first.ms ?? 0)
    return ms <= CLOSE.ms ? { seats, isTime: true, gap: ms / 1000 } : null
  }
  if (first.state === 'solved') return behind !== null && behind <= CLOSE.cards ? { seats, isTime: false, gap: behind } : null
  const bothRan = [first, second].every(({ state, place, moves }) => state === 'timed_out' && place !== null && moves > 0)
  const gap = first.home - second.home
  return bothRan && gap <= CLOSE.cards ? { seats, isTime: false, gap } : null
}

/** @param {Photo} photo */
export function photoText({ isTime, gap }) {
  if (!isTime) return t('more.photo.cards', { count: gap })
  return t('more.photo.time', {
    seconds: new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(gap),
  })
}
