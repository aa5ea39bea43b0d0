/** The announcements that the reader has closed in this browser, so that a reload does not show them a second time. */
import { recall, remember } from './storage.js'

const KEY = 'read-news'
/** The number kept. A room has one announcement at a time, and the next one replaces it. */
const MOST = 20

/** @returns {string[]} */
const known = () => (recall(KEY) ?? '').split(' ').filter(Boolean)

/** @param {string} code @param {number} at the time of the announcement */
const nameOf = (code, at) => `${code}:${at}`

/** @param {string} code @param {number} at */
export const isRead = (code, at) => known().includes(nameOf(code, at))

/** @param {string} code @param {number} at */
export function markRead(code, at) {
  const name = nameOf(code, at)
  remember(KEY, [...known().filter((one) => one !== name), name].slice(-MOST).join(' '))
}
