/** Which announcements somebody has put away in this browser, so that they do not come back when the page is loaded again. */
import { recall, remember } from './storage.js'

const KEY = 'read-news'
/** So many are remembered. A host announces one at a time, and the next one replaces it. */
const MOST = 20

/** @returns {string[]} */
const known = () => (recall(KEY) ?? '').split(' ').filter(Boolean)

/** @param {string} code @param {number} at when it was announced in that room */
const nameOf = (code, at) => `${code}:${at}`

/** @param {string} code @param {number} at */
export const isRead = (code, at) => known().includes(nameOf(code, at))

/** @param {string} code @param {number} at */
export function markRead(code, at) {
  const name = nameOf(code, at)
  remember(KEY, [...known().filter((one) => one !== name), name].slice(-MOST).join(' '))
}
