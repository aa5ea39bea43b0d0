/** What is said of a race that is over: by how much it was won, and how the room stands. */

import { counted, finishText } from './format.js'

/**
 * @typedef {import('./room-view.js').View} View
 * @typedef {import('./room-view.js').Lane} Lane
 * @typedef {{seat: number, name: string, wins: number}} Score
 */

/**
 * By how much the first was ahead of the second, or "" where that says nothing.
 *
 * @param {Lane[]} lanes in the order of the places
 */
export function marginText([first, second]) {
  if (first?.place !== 1 || second?.place !== 2) return ''
  if (first.state === 'solved' && second.state === 'solved') {
    return `Ahead by ${finishText((second.ms ?? 0) - (first.ms ?? 0))}.`
  }
  const cards = first.home - second.home
  if (first.state === 'solved') return `${counted(cards, 'card')} ahead when it was solved.`
  if (cards > 0) return `Ahead by ${counted(cards, 'card')}.`
  return `Both brought ${counted(first.home, 'card')} home; the first to get there is ahead.`
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
