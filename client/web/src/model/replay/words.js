/** A replay in words. */

import { cardText } from '../card-text.js'
import { clockText, counted, finishText } from '../format.js'
import { STATES } from '../words.js'

/** @typedef {import('./happenings.js').Happening} Happening */

/** Where on its axis something is. @param {'time' | 'stock'} along @param {number} position */
export const positionText = (along, position) => (along === 'time' ? clockText(position) : `card ${Math.floor(position + 1e-9)}`)

/** `A, B and C`; of many, how many others. @param {string[]} names */
export function listed(names) {
  const some = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names
  return some.length > 1 ? `${some.slice(0, -1).join(', ')} and ${some.at(-1)}` : (some[0] ?? '')
}

/**
 * What happened, without the time: who and what.
 *
 * @param {Happening} happening @param {(seat: number) => import('../../record/race-record.js').Racer} racerAt
 * @returns {string}
 */
export function happeningText({ kind, seat, others = [], leads, cards = [], stock = 0, ms }, racerAt) {
  const { name, state, home } = racerAt(seat)
  switch (kind) {
    case 'overtook':
      return `${name} overtakes ${listed(others.map((other) => racerAt(other).name))}${leads ? ' and leads' : ''}`
    case 'turned':
      return `${name} turns ${listed(cards.map(cardText))}${stock ? `, card ${stock} of the stock` : ''}`
    case 'late':
      return `${name} comes late`
    case 'gave_up':
      return `${name} wants to give up`
    case 'took_back':
      return `${name} goes on after all`
    case 'ended':
      return state === 'solved'
        ? `${name} solves it in ${finishText(ms)}`
        : `${name}: ${STATES[/** @type {keyof typeof STATES} */ (state)] ?? state}, ${counted(home, 'card')} home`
  }
}

/** What each check of a record is about, and one that is this browser's own. */
export const CHECKS = {
  format: 'The file',
  signature: 'The signature',
  commitment: 'The secret',
  deal: 'The deck',
  moves: 'The moves',
  times: 'The times',
  results: 'The results',
  ranking: 'The places',
  promise: 'The promise',
  numbers: 'The numbers',
}

/** Why there is nothing to show, and what to do about it. @type {Record<string, string>} */
export const HELP = {
  'unknown-race':
    'Look at the link again. Records are not kept for ever; if you have downloaded one, it can still be checked ' +
    'with “forty-thieves verify”.',
  'not-over-yet': 'When it is over, it can be seen here.',
}
