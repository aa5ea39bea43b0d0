/** What is shown of a race, what is not, and why. */
import { clockText } from '../model/format.js'
import { delayText } from '../model/words.js'

/** Whether boards wait for the slowest, so that the race itself is the better view. @param {import('../model/room-view.js').Settings} settings */
export const isHeldBack = ({ watch }) => watch === 'frontier' || watch === 'progress'

/**
 * @param {object} given
 * @param {Pick<import('../model/gallery.js').Gallery, 'policy' | 'start'> | null} given.gallery
 * @param {import('../model/gallery.js').Hidden | null} given.hidden
 * @param {import('../model/room-view.js').Settings} given.settings
 * @param {number} given.starts @param {number} given.now
 * @returns {{short: string, why: string}} a sentence, and the reason for who wants to know
 */
export function shownText({ gallery, hidden, settings, starts, now }) {
  switch (gallery?.policy) {
    case undefined:
      return { short: 'The boards are coming …', why: '' }
    case 'over':
      return { short: 'Everything is shown: the race is over.', why: '' }
    case 'open':
      return { short: 'Everything is shown, as it happens.', why: 'Whoever still races relies on you to say nothing.' }
    case 'delayed': {
      const left = starts + settings.delay * 1000 - now
      const why = 'So nobody who races can be told at once what comes.'
      if (!gallery?.start)
        return { short: `Shown ${delayText(settings.delay)} late: the boards open in ${clockText(left + 999)}.`, why }
      return { short: `Shown ${delayText(settings.delay)} late.`, why }
    }
    case 'progress':
      return {
        short: 'Only progress is shown.',
        why: 'The host has chosen so: cards home, moves and stock. All boards are shown when the race is over.',
      }
    default:
      return frontierText(hidden, settings.late === 'join')
  }
}

/**
 * @param {import('../model/gallery.js').Hidden | null} hidden
 * @param {boolean} open whether people may still join the race
 */
function frontierText(hidden, open) {
  if (open) {
    return {
      short: 'Only the deal is shown, as people may still join.',
      why: 'They have seen no more than that, and nobody should know more than they will.',
    }
  }
  const why = 'So nobody who races can be told what comes. When all are done, everything is shown.'
  if (!hidden) return { short: 'Shown as far as the slowest racer is.', why }
  if (!hidden.moves) return { short: 'Shown up to the slowest racer’s first move, still to come.', why }
  return { short: `Shown up to the slowest racer’s move ${hidden.moves}, stock card ${hidden.stock}.`, why }
}

/** Who reads what is said here. @param {boolean} atSeat @param {boolean} racing a race is on */
export function chatText(atSeat, racing) {
  if (!racing) return ''
  return atSeat
    ? 'Those who still race read this once they are done.'
    : 'Those who race read what watchers say once they are done.'
}
