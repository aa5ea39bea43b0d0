/** Live news of a race, from the public progress of all racers. */
import { t } from '../../words/translate.js'
import { clockText } from '../format.js'
import { homeText } from '../race/rule-texts.js'
import { endedText, listed } from '../replay/replay-texts.js'
import { createOvertaking } from './overtaking.js'

/**
 * @import { Lane } from '../race/room-view.js'
 * @typedef {Pick<Lane, 'seat' | 'name' | 'home' | 'state'> & NewsItem} News
 * @typedef {object} NewsItem
 * @property {number} id in the order of arrival
 * @property {'overtook' | 'last_card' | 'late' | 'gives_up' | 'took_back' | 'ended'} kind
 * @property {number} ms since the start
 * @property {string[]} others the racers that this one passed
 * @property {boolean} leads whether this racer now leads
 */

/** The number of news items to keep. */
export const MOST_NEWS = 60
/** The number of news items to read aloud together. */
const MOST_SPOKEN = 3

/** A stock with more cards than this is from a redeal, not from an undo. Then its last card is news once more. */
const DEALT_AGAIN = 3

/** Reports the news in each next state of the lanes; the first state has none. */
export function createReporter() {
  let id = 0
  /** @type {Map<number, Lane> | null} */
  let before = null
  /** @type {number[]} */
  let seats = []
  /** @type {ReturnType<typeof createOvertaking>} */
  let passing = () => null
  /** @type {Set<number>} */
  const drewAll = new Set()

  /** @param {readonly Lane[]} lanes */
  function begin(lanes) {
    seats = lanes.map(({ seat }) => seat)
    passing = createOvertaking(lanes.map(({ seat, home }) => before?.get(seat)?.home ?? home))
    for (const { seat, stock } of lanes) if (stock === 0 && !before) drewAll.add(seat)
  }

  /** @param {readonly Lane[]} lanes of all racers, done or not @param {number} ms since the start @returns {News[]} */
  return (lanes, ms) => {
    const isFirst = before === null
    if (isFirst || lanes.length !== seats.length) begin(lanes)
    const by = new Map(lanes.map((lane) => [lane.seat, lane]))
    /** @type {News[]} */
    const news = []
    /** @param {Lane} lane @param {News['kind']} kind @param {Partial<News>} [more] */
    function report({ seat, name, home, state }, kind, more) {
      news.push({ id: ++id, kind, ms, seat, name, others: [], leads: false, home, state, ...more })
    }
    for (const lane of isFirst ? [] : lanes) {
      const was = before?.get(lane.seat)
      if (!was) {
        report(lane, 'late')
        continue
      }
      const overtaking = lane.home === was.home ? null : passing(seats.indexOf(lane.seat), lane.home)
      if (overtaking) {
        const others = overtaking.passed.map((j) => by.get(seats[j])?.name ?? '')
        report(lane, 'overtook', { others, leads: overtaking.leads })
      }
      if (lane.stock === 0 && !drewAll.has(lane.seat)) {
        drewAll.add(lane.seat)
        if (lane.state === 'racing') report(lane, 'last_card')
      }
      if ((lane.stock ?? 0) > DEALT_AGAIN) drewAll.delete(lane.seat)
      if (lane.state !== 'racing') {
        if (was.state === 'racing') report(lane, 'ended', lane.ms === null ? {} : { ms: lane.ms })
      } else if ((lane.gaveUpAt === null) !== (was.gaveUpAt === null)) {
        report(lane, lane.gaveUpAt === null ? 'took_back' : 'gives_up')
      }
    }
    before = by
    return news
  }
}

/** How many events are told that happened before a spectator came. */
const EARLIER = 20

/**
 * What happened before a spectator came, from the points of the server: the latest events. Their numbers are negative.
 * @param {readonly [seat: number, points: readonly [ms: number, home: number][]][]} rows @param {readonly Lane[]} lanes
 * @param {number} dealt the cards home at the beginning @returns {News[]}
 */
export function earlierNews(rows, lanes, dealt) {
  const racers = lanes.map((lane) => ({ lane, points: rows.find(([seat]) => seat === lane.seat)?.[1] ?? [] }))
  const passing = createOvertaking(racers.map(() => dealt))
  const steps = racers.flatMap(({ lane, points }, i) => points.map(([ms, home]) => ({ i, lane, ms, home })))
  const overtook = steps
    .sort((a, b) => a.ms - b.ms)
    .flatMap(({ i, lane: { seat, name, state }, ms, home }) => {
      const found = passing(i, home)
      const others = found ? found.passed.map((j) => lanes[j]?.name ?? '') : []
      return found ? [{ kind: /** @type {const} */ ('overtook'), seat, name, state, ms, home, others, leads: found.leads }] : []
    })
  const ended = lanes.flatMap(({ seat, name, state, ms, home }) =>
    state === 'racing' || ms === null
      ? []
      : [{ kind: /** @type {const} */ ('ended'), seat, name, state, ms, home, others: [], leads: false }],
  )
  const latest = [...overtook, ...ended].sort((a, b) => a.ms - b.ms).slice(-EARLIER)
  return latest.map((one, i) => ({ ...one, id: i - latest.length }))
}

/** The order on the page. The end of a racer who was giving up replaces that. @param {readonly News[]} news by number */
export const latestFirst = (news) =>
  news
    .filter((one) => one.kind !== 'gives_up' || news.find(({ seat, id }) => seat === one.seat && id > one.id)?.kind !== 'ended')
    .sort((a, b) => b.ms - a.ms || b.id - a.id)

/** @param {News} news @returns {string} */
export function newsText({ kind, name, others, leads, home, state, ms }) {
  if (kind === 'overtook') {
    if (!others.length) return t('watch.news.leads', { name, cards: homeText(home) })
    const passed = { name, others: listed(others) }
    return leads ? t('watch.news.passedAndLeads', { ...passed, cards: homeText(home) }) : t('watch.news.passed', passed)
  }
  if (kind !== 'ended') return t(`watch.news.${kind}`, { name })
  if (state === 'solved' || state === 'racing') return t('race.wonIn', { name, time: clockText(ms) })
  return endedText(state, name, home)
}

/** The text to read aloud for several news items: the latest, and the number of the rest. @param {readonly News[]} news */
export function spokenNews(news) {
  const texts = news.slice(-MOST_SPOKEN).map((one) => t('watch.news.spoken', { news: newsText(one) }))
  const more = news.length - texts.length
  return (more > 0 ? [t('watch.news.more', { count: more }), ...texts] : texts).join(' ')
}
