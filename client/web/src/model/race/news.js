/** Spoken news about the other racers, for players who listen instead of looking. */
import { t } from '../../words/translate.js'
import { clockText, listText } from '../format.js'
import { toGo } from './rivals.js'
import { leaderOf } from './room-view.js'
import { homeText, stateText } from './rule-texts.js'

/** @import { Lane } from './room-view.js' */

/** The shortest time between news, in ms, so that players can still hear their own moves. */
export const NEWS_EVERY = 10_000

/** The leader's progress is news after this many more cards home. */
const WORTH_TELLING = 5

/** How all other racers are doing now. @param {Lane[]} lanes in the order of `standings` @param {number} seat */
export const newsOfAll = (lanes, seat) =>
  lanes
    .filter((lane) => lane.seat !== seat)
    .map(({ name, home, state, awayAt }) => {
      const is = state === 'racing' && awayAt !== null ? 'away' : state
      return t('more.news.now', { name, cards: homeText(home), state: is, result: stateText(state) })
    })
    .join(' ')

/** @param {Lane[]} before @param {Lane[]} after both in the order of `standings` @param {number} seat of the player */
export function newsBetween(before, after, seat) {
  /** @type {string[]} */
  const news = []
  for (const lane of after) {
    const earlier = before.find((other) => other.seat === lane.seat)
    if (!earlier) continue
    const { name } = lane
    const count = toGo(earlier) ? 0 : toGo(lane)
    if (count) news.push(t('more.moment.near', { own: lane.seat === seat, name, count }))
    if (lane.seat === seat) continue
    if (lane.state !== earlier.state) {
      news.push(
        lane.state === 'solved' && lane.ms !== null
          ? t('more.news.wonIn', { name, time: clockText(lane.ms) })
          : t(`more.news.${lane.state}`, { name }),
      )
    }
    if ((lane.awayAt === null) !== (earlier.awayAt === null)) {
      news.push(t(lane.awayAt === null ? 'more.news.back' : 'more.news.away', { name }))
    }
  }
  const leader = after.find((lane) => lane.seat === leaderOf(after))
  const led = before.find((lane) => lane.seat === leader?.seat)
  if (leader?.state === 'racing' && led) {
    const isNew = leader.seat !== leaderOf(before)
    const isFarther = leader.seat !== seat && leader.home >= led.home + WORTH_TELLING
    const { name } = leader
    const cards = homeText(leader.home)
    if (isNew || isFarther)
      news.push(leader.seat === seat ? t('more.news.youLead', { cards }) : t('more.news.leads', { name, cards }))
  }
  return news.join(' ')
}

/**
 * Compares the player with each rival, at each call. A tie changes nothing, because cards come home one by one.
 * @returns {(lanes: readonly Lane[], seat: number) => {kind: 'youPass' | 'passesYou', names: string[], seats: number[]} | null}
 */
export function createOrder() {
  /** 1: the rival was ahead last. @type {Map<number, number>} */
  const last = new Map()
  return (lanes, seat) => {
    const own = lanes.find((lane) => lane.seat === seat)
    /** @param {number} order */
    const changed = (order) =>
      own ? lanes.filter(({ home, seat }) => Math.sign(home - own.home) === order && last.get(seat) === -order) : []
    // A rival's win has a moment of its own.
    const ahead = changed(1).filter(({ state }) => state !== 'solved')
    const behind = changed(-1)
    for (const { home, seat } of own ? lanes : []) if (own && home !== own.home) last.set(seat, Math.sign(home - own.home))
    const passed = ahead.length ? ahead : behind
    if (!passed.length) return null
    return {
      kind: ahead.length ? 'passesYou' : 'youPass',
      names: passed.map(({ name }) => name),
      seats: passed.map(({ seat }) => seat),
    }
  }
}

const NAMED = 2

/** @param {'youPass' | 'passesYou'} kind @param {string[]} names */
export function passedText(kind, names) {
  const rest = names.length - NAMED
  const named = rest > 1 ? [...names.slice(0, NAMED), t('race.others', { count: rest })] : names
  return t(`more.news.${kind}`, { names: listText(named), count: names.length })
}
