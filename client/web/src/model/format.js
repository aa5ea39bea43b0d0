/** Times and numbers as text, in the current language. */
import { apart, language } from '../words/translate.js'

/** @import { List } from '../words/translate.js' */

/** `3:21`, or `1:02:05`. @param {number} ms */
export function clockText(ms) {
  const all = Math.max(0, Math.floor(ms / 1000))
  const seconds = String(all % 60).padStart(2, '0')
  const minutes = Math.floor(all / 60) % 60
  const hours = Math.floor(all / 3600)
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

/** The time of a race since its start; without one, `0:00`. @param {number | null | undefined} starts @param {number} now */
export const sinceText = (starts, now) => clockText(now - (starts ?? now))

/** The decimal separator of the language, between its two digits. */
const decimalPoint = () => (0.5).toLocaleString(language()).at(1)

/** `3:21.4`: a finishing time, where tenths decide. @param {number} ms */
export const finishText = (ms) => `${clockText(ms)}${decimalPoint()}${Math.floor((Math.max(0, ms) % 1000) / 100)}`

/** `Saturday, November 28`: a day in UTC. @param {number} day since 1970 */
export const dayText = (day) =>
  new Date(day * 86_400_000).toLocaleDateString(language(), { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' })

/** `Ann, Bob and Cleo`. @param {readonly string[]} names */
export const listText = (names) => new Intl.ListFormat(language()).format(names.map(apart))

/** The same as parts of a saying. @param {List} parts @returns {List} */
export function listed(parts) {
  const list = new Intl.ListFormat(language()).formatToParts(parts.map(String))
  let at = 0
  return list.map(({ type, value }) => (type === 'element' ? /** @type {List[number]} */ (parts[at++]) : value))
}
