/** Takes the player to another device: the guest, the seats and circles, the name and the face, and the own games. */
import { checked } from '../model/memory/file.js'
import { merged, shortened } from '../model/memory/memory.js'
import { refusalOf } from '../net/refusal.js'
import { memory } from './memory.js'
import { recall, remember } from './storage.js'

/** @import { Memory } from '../model/memory/memory.js' */

/** Bytes: requests have at most 16 KB. */
const LONGEST = 14_000
/** Of the guest, who is another one on the other device until then. */
const KEYS = ['seats', 'circles', 'name', 'face']

/** @param {string} path @param {string} body @param {Record<string, string>} [headers] */
async function post(path, body, headers) {
  const answer = await fetch(path, { method: 'POST', body, headers: { 'Content-Type': 'text/plain', ...headers } })
  if (!answer.ok) throw await refusalOf(answer)
  return answer.json()
}

/** With as many of the last plays as a request can have; the earlier ones are in the totals. A memory of many devices stays. @param {Memory} own */
function packed(own) {
  const kept = Object.fromEntries(KEYS.map((key) => [key, recall(key)]))
  for (let most = own.plays.length; ; most = Math.floor(most / 2)) {
    const data = JSON.stringify({ ...kept, memory: shortened(own, most) })
    if (new Blob([data]).size <= LONGEST) return data
    if (most === 0) return JSON.stringify(kept)
  }
}

/** The code for the other device. It works once, for ten minutes. @returns {Promise<string>} throws a `Refusal` */
export async function giveCode() {
  const data = packed(await memory.read())
  return (await post('/api/carry', data, { Authorization: `Bearer ${recall('token')}` })).code
}

/**
 * The link that takes the player over (`carriedIn`).
 * @param {string} origin @param {string} code @param {string} [path] where the player goes on: a room, or the own games
 */
export const carryLink = (origin, code, path = '') => `${origin}/me#carry=${code}${path}`

/** Makes this browser's player the one of the code. Its own games stay. @param {string} code throws a `Refusal` */
export async function takeOver(code) {
  const { token, data } = await post('/api/carried', code)
  const { memory: other, ...kept } = JSON.parse(data)
  if (other) await memory.change((own) => merged(own, checked(other)))
  for (const key of KEYS) remember(key, typeof kept[key] === 'string' ? kept[key] : null)
  remember('token', token)
}
