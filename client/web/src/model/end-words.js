/** What is said of a race that is over: by how much it was won, and how the room stands. */

import { t } from '../words/index.js'
import { finishText } from './format.js'
import { homeText } from './words.js'

/**
 * @import { View } from './protocol.d.ts'
 * @import { Lane } from './room-view.js'
 */

/**
 * @typedef {{seat: number, name: string, wins: number}} Score
 */

/** `40 cards`. @param {number} count */
export const cardsText = (count) => t('more.end.cards', { count })

/**
 * By how much the first was ahead of the second, or "" where that says nothing.
 *
 * @param {Lane[]} lanes in the order of the places
 */
export function marginText([first, second]) {
  if (first?.place !== 1 || second?.place !== 2) return ''
  if (first.state === 'solved' && second.state === 'solved') {
    return t('more.end.marginTime', { time: finishText((second.ms ?? 0) - (first.ms ?? 0)) })
  }
  const count = first.home - second.home
  const cards = cardsText(count)
  if (first.state === 'solved') return t('more.end.marginWin', { cards })
  if (count > 0) return t('more.end.marginCards', { cards })
  return t('more.end.marginFirst', { cards: homeText(first.home) })
}

/** How far apart two of the same kind are: seconds of two who won, cards of two who did not. @param {Lane} a @param {Lane} b */
function gapOf(a, b) {
  if (a.state === 'solved' && b.state === 'solved') return Math.abs((a.ms ?? 0) - (b.ms ?? 0)) / 1000
  return a.state === 'solved' || b.state === 'solved' ? Infinity : Math.abs(a.home - b.home)
}

/** Behind this, nobody would call it close: seconds, or cards. */
const CLOSE = 5

/**
 * Which two neighbours came closest to each other, behind the first two, or null: nobody was close. Of the first two,
 * `marginText` says how close they were.
 *
 * @param {Lane[]} lanes in the order of the places
 * @returns {{ahead: string, behind: string, gap: number, won: boolean} | null} two names, and how many seconds apart they won or
 *   how many cards apart they were
 */
export function closest(lanes) {
  const placed = lanes.filter((lane) => lane.place !== null)
  const pairs = placed.slice(2).map((behind, i) => ({ ahead: placed[i + 1], behind, gap: gapOf(placed[i + 1], behind) }))
  const [best] = pairs.filter(({ gap }) => gap <= CLOSE).sort((a, b) => a.gap - b.gap)
  if (!best || best.gap > gapOf(placed[0], placed[1])) return null
  const { ahead, behind, gap } = best
  return { ahead: ahead.name, behind: behind.name, gap, won: ahead.state === 'solved' }
}

/**
 * How often each of those who raced has won in this room, this race included, the most wins first. Empty for one racer, and
 * before anybody has won twice or two have won.
 *
 * @param {View} ended the room when the race was over
 * @returns {Score[]}
 */
export function roomScore({ race, past }) {
  /** @type {Map<number, Score>} */
  const scores = new Map()
  /** @param {number} seat @param {string} name @param {number | null | undefined} place */
  const count = (seat, name, place) => {
    const score = scores.get(seat) ?? { seat, name, wins: 0 }
    scores.set(seat, { seat, name, wins: score.wins + (place === 1 ? 1 : 0) })
  }
  for (const { places } of Object.values(past ?? {})) for (const [seat, name, place] of places) count(seat, name, place)
  for (const [seat, { name, place }] of Object.entries(race.racers ?? {})) count(Number(seat), name, place)
  const raced = [...scores.values()].filter(({ seat }) => race.racers?.[seat])
  const won = raced.reduce((all, { wins }) => all + wins, 0)
  return raced.length > 1 && won > 1 ? raced.sort((a, b) => b.wins - a.wins || a.seat - b.seat) : []
}
