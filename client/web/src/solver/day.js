/** The deal of the day, as in shared/fortythieves/solver/day.py: for each day (UTC) one deal, from a chain of keys. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import week from '../../../../shared/fortythieves/solver/week.json' with { type: 'json' }
import { Board } from '../rules/board.js'
import { game } from '../rules/games.js'
import { nth } from '../rules/nth.js'
import { deckOfSecret } from '../rules/secret-deal.js'
import { effortOf, solve, starsOf } from './effort.js'

/** @import { Stars } from './effort.js' */

const DAY = 86_400_000 // ms
const FIRST_WEEKDAY = 3 // the day 0, 1970-01-01, was a Thursday
const PREFIX = utf8ToBytes('forty-thieves day v1')

/** When a day begins, in ms. @param {number} day */
export const beginsAt = (day) => day * DAY

/** The game and the stars of a day. @param {number} day */
export const gameOfDay = (day) => /** @type {[game: string, stars: Stars]} */ (nth(week, (day + FIRST_WEEKDAY) % week.length))

/** The key of the day that is so many days before. @param {string} key @param {number} days */
export function earlier(key, days) {
  let bytes = hexToBytes(key)
  for (let i = 0; i < days; i++) bytes = sha256(bytes)
  return bytesToHex(bytes)
}

/** The secret of a deal of a key, counted from 0. @param {string} key @param {number} counter */
export function secretOfDay(key, counter) {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, counter)
  return bytesToHex(sha256(concatBytes(PREFIX, hexToBytes(key), bytes)))
}

/** The deck of a day. @param {string} key @param {number} counter */
export const dealOfDay = (key, counter) => deckOfSecret(secretOfDay(key, counter), [])

/** Whether the solver wins the deal of a secret, with exactly these stars. @param {string} key of the game @param {Stars} stars @param {string} secret */
export function isWon(key, stars, secret) {
  const solved = solve(Board.deal(game(key), deckOfSecret(secret, [])), effortOf(key, stars))
  return solved !== null && starsOf(key, solved.rung) === stars
}
