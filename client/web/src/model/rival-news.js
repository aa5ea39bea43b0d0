/** What has happened to one's rivals, in a sentence for those who listen instead of looking. */

import { clockText, counted } from './format.js'
import { leaderOf } from './room-view.js'
import { STATES } from './words.js'

/** @typedef {import('./room-view.js').Lane} Lane */

/** Not oftener, or nobody could hear their own moves. */
export const NEWS_EVERY = 10_000

/** So many more cards home of the leader are news. */
const WORTH_TELLING = 5

/** How everybody but oneself is doing now. @param {Lane[]} lanes in the order of `standings` @param {number} seat */
export const newsOfAll = (lanes, seat) =>
  lanes
    .filter((lane) => lane.seat !== seat)
    .map((lane) => {
      const state = lane.state === 'racing' ? (lane.awayAt === null ? '' : ', away') : `, ${STATES[lane.state]}`
      return `${lane.name}: ${counted(lane.home, 'card')} home${state}.`
    })
    .join(' ')

/**
 * @param {Lane[]} before
 * @param {Lane[]} after both in the order of `standings`
 * @param {number} seat one's own
 */
export function newsBetween(before, after, seat) {
  /** @type {string[]} */
  const news = []
  for (const lane of after) {
    const earlier = before.find((other) => other.seat === lane.seat)
    if (lane.seat === seat || !earlier) continue
    if (lane.state !== earlier.state) {
      const time = lane.state === 'solved' && lane.ms !== null ? ` in ${clockText(lane.ms)}` : ''
      news.push(`${lane.name}: ${STATES[lane.state]}${time}.`)
    }
    if ((lane.awayAt === null) !== (earlier.awayAt === null)) {
      news.push(lane.awayAt === null ? `${lane.name} is back.` : `${lane.name} is away.`)
    }
  }
  const leader = after.find((lane) => lane.seat === leaderOf(after))
  const led = before.find((lane) => lane.seat === leader?.seat)
  if (leader?.state === 'racing' && led) {
    const isNew = leader.seat !== leaderOf(before)
    const isFarther = leader.seat !== seat && leader.home >= led.home + WORTH_TELLING
    const who = leader.seat === seat ? 'You lead' : `${leader.name} leads`
    if (isNew || isFarther) news.push(`${who} with ${counted(leader.home, 'card')} home.`)
  }
  return news.join(' ')
}
