/** What happens in a race while one watches it: from what everybody is told of everybody's progress. */

import { t } from '../../words/translate.js'
import { clockText } from '../format.js'
import { homeText } from '../race/rule-texts.js'
import { endedText, listed } from '../replay/replay-texts.js'
import { createOvertaking } from './overtaking.js'

/** @import { Lane } from '../race/room-view.js' */

/**
 * @typedef {object} News
 * @property {number} id in the order in which they came
 * @property {'overtook' | 'last_card' | 'late' | 'gives_up' | 'took_back' | 'ended'} kind
 * @property {number} ms since the start
 * @property {number} seat
 * @property {string} name
 * @property {string[]} others whom this racer passed
 * @property {boolean} leads and is now ahead of everybody
 * @property {number} home
 * @property {Lane['state']} state
 */

/** So much news is kept. */
export const MOST_NEWS = 60
/** So much of it is read aloud at once. */
const MOST_SAID = 3

/** After a redeal there is a last card again, but not after an undo. */
const DEALT_AGAIN = 3

/** What is news of each next state of the lanes; nothing of the first one. */
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

  /**
   * @param {readonly Lane[]} lanes of everybody who races or has raced @param {number} ms since the start
   * @returns {News[]}
   */
  return function report(lanes, ms) {
    const isFirst = before === null
    if (isFirst || lanes.length !== seats.length) begin(lanes)
    const by = new Map(lanes.map((lane) => [lane.seat, lane]))
    /** @type {News[]} */
    const news = []
    /** @param {Lane} lane @param {News['kind']} kind @param {Partial<News>} [more] */
    function tell({ seat, name, home, state }, kind, more) {
      news.push({ id: ++id, kind, ms, seat, name, others: [], leads: false, home, state, ...more })
    }
    for (const lane of isFirst ? [] : lanes) {
      const was = before?.get(lane.seat)
      if (!was) {
        tell(lane, 'late')
        continue
      }
      const pass = lane.home === was.home ? null : passing(seats.indexOf(lane.seat), lane.home)
      if (pass) tell(lane, 'overtook', { others: pass.passed.map((j) => by.get(seats[j])?.name ?? ''), leads: pass.leads })
      if (lane.stock === 0 && !drewAll.has(lane.seat)) {
        drewAll.add(lane.seat)
        if (lane.state === 'racing') tell(lane, 'last_card')
      }
      if ((lane.stock ?? 0) > DEALT_AGAIN) drewAll.delete(lane.seat)
      if (lane.state !== 'racing') {
        if (was.state === 'racing') tell(lane, 'ended', lane.ms === null ? {} : { ms: lane.ms })
      } else if ((lane.gaveUpAt === null) !== (was.gaveUpAt === null)) {
        tell(lane, lane.gaveUpAt === null ? 'took_back' : 'gives_up')
      }
    }
    before = by
    return news
  }
}

/** @param {News} news @returns {string} */
export function newsText({ kind, name, others, leads, home, state, ms }) {
  switch (kind) {
    case 'overtook': {
      const passed = { name, others: listed(others) }
      return leads ? t('watch.news.passedAndLeads', { ...passed, cards: homeText(home) }) : t('watch.news.passed', passed)
    }
    case 'ended':
      return state === 'solved' || state === 'racing'
        ? t('race.wonIn', { name, time: clockText(ms) })
        : endedText(state, name, home)
    default:
      return t(`watch.news.${kind}`, { name })
  }
}

/** What is read aloud of news that came together: the latest, and how much else there was. @param {readonly News[]} news */
export function spokenNews(news) {
  const said = news.slice(-MOST_SAID).map((one) => t('watch.news.spoken', { news: newsText(one) }))
  const more = news.length - said.length
  return (more > 0 ? [t('watch.news.more', { count: more }), ...said] : said).join(' ')
}
