/** The circles of this browser's player, for links to them. */
import { recall, recallRooms, remember } from './storage.js'

const KEY = 'circles'
const MOST = 20

/** @returns {{code: string, name: string}[]} the latest first */
export const circles = () => recallRooms({ recall }, KEY)

/** @param {string} code @param {string | null} name null: the player is no member */
export function keepCircle(code, name) {
  const others = circles().filter((one) => one.code !== code)
  remember(KEY, JSON.stringify(name === null ? others : [{ code, name }, ...others].slice(0, MOST)))
}
