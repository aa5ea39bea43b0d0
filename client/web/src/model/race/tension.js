/** What makes a race felt: passing, being passed, and many cards in a row. */
import { CARDS } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { createOrder, passedText } from './news.js'
import { toGo } from './rivals.js'

/** @import { Lane } from './room-view.js' */

/** The shortest time between two moments, in ms. */
const APART = 5000
/** A run that had to wait longer than this, in ms, is no news any more. */
const STALE = 2000
/** Cards that come home faster than this one after the other, in ms, were brought by the page. */
const AUTOMATIC = 200
/** More moves than this between two looks were made by the page. */
const BY_HAND = 2
/** A message comes after each five cards in a row. */
const ROW = 5
/** This number of cards home within this time, in ms, is a message, too. */
const QUICK = { cards: 12, ms: 10_000 }

/** The first two are close from this gap on, once half of the cards are home. */
const CLOSE = 3

/** Whether the first two of a race are close. @param {readonly Lane[]} lanes in order */
export const isClose = ([first, second]) =>
  first?.state === 'racing' && second?.state === 'racing' && first.home >= CARDS / 2 && first.home - second.home <= CLOSE

/** @typedef {'youPass' | 'passesYou' | 'near' | 'row' | 'quick'} MomentKind @typedef {{kind: MomentKind, names: string[], seats: number[], count: number}} Moment */

/** Finds runs in the player's own board. @returns {(home: number, moves: number, now: number) => Moment | null} */
function createRuns() {
  let [home, moves, at, row] = [-1, 0, 0, 0]
  /** @type {number[]} when the last cards came home */
  let times = []
  return (newHome, newMoves, now) => {
    const [more, isOne, isByHand] = [newHome - home, newMoves === moves + 1, now - at >= AUTOMATIC]
    const isFirst = home < 0
    home = newHome
    if (newMoves === moves) return null
    moves = newMoves
    at = now
    if (isFirst || !isOne || more <= 0) {
      row = 0
      return null
    }
    if (!isByHand) return null
    row += more
    times = [...times.filter((time) => now - time < QUICK.ms), now]
    if (times.length === QUICK.cards) {
      times = []
      return { kind: 'quick', names: [], seats: [], count: QUICK.cards }
    }
    return row % ROW === 0 ? { kind: 'row', names: [], seats: [], count: row } : null
  }
}

/** Finds runs of rivals in their progress. @returns {(lanes: readonly Lane[], seat: number) => Moment | null} */
function createRivalRuns() {
  /** @type {Map<number, {home: number, moves: number, row: number}>} */
  const last = new Map()
  return (lanes, seat) => {
    /** @type {Moment | null} */
    let found = null
    for (const { seat: who, name, home, moves } of lanes) {
      const before = last.get(who) ?? { home, moves, row: 0 }
      const [more, made] = [home - before.home, moves - before.moves]
      const isRun = made <= BY_HAND && more === made
      const row = isRun ? before.row + more : 0
      last.set(who, { home, moves, row })
      const isTold = Math.floor(row / ROW) > Math.floor(before.row / ROW)
      if (who !== seat && isTold) found = { kind: 'row', names: [name], seats: [who], count: row }
    }
    return found
  }
}

/** The moments of one race for one racer, one at a time. */
export function createMoments() {
  const [order, runs, rivalRuns] = [createOrder(), createRuns(), createRivalRuns()]
  let told = -Infinity
  /** The racers who have been told to be near their win. @type {Set<number>} */
  const near = new Set()
  /** @type {{moment: Moment, at: number} | null} */
  let run = null
  return {
    /** The player's board after each move. @param {number} home @param {number} moves @param {number} now */
    played(home, moves, now) {
      const moment = runs(home, moves, now)
      if (moment) run = { moment, at: now }
    },

    /** The next message, if any. @param {readonly Lane[]} lanes in order @param {number} seat @param {number} now @returns {Moment | null} */
    next(lanes, seat, now) {
      const rivalRun = rivalRuns(lanes, seat)
      if (now - told < APART) return null
      const passed = order(lanes, seat)
      const nearing = passed ? undefined : lanes.find((lane) => toGo(lane) && !near.has(lane.seat))
      if (nearing) near.add(nearing.seat)
      const rivals = nearing && nearing.seat !== seat ? [nearing] : []
      const [names, seats] = [rivals.map(({ name }) => name), rivals.map(({ seat }) => seat)]
      const moment = passed
        ? { ...passed, count: passed.names.length }
        : nearing
          ? { kind: /** @type {const} */ ('near'), names, seats, count: toGo(nearing) }
          : run && now - run.at < STALE
            ? run.moment
            : rivalRun
      if (!passed) run = null
      if (moment) told = now
      return moment
    },
  }
}

/** @param {Moment} moment */
export const momentText = ({ kind, names, count }) =>
  kind === 'near' ? t('more.moment.near', { own: !names.length, name: names[0] ?? '', count }) : otherText(kind, names, count)

/** @param {Exclude<MomentKind, 'near'>} kind @param {string[]} names @param {number} count */
const otherText = (kind, names, count) =>
  kind === 'row' || kind === 'quick' ? [...names, t(`more.moment.${kind}`, { count })].join(': ') : passedText(kind, names)
