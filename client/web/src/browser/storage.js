/**
 * What the browser remembers for us. Where storage is blocked (private windows, strict settings), it lasts as long as
 * the page.
 */

/** @type {Map<string, string>} */
const memory = new Map()

const PREFIX = 'forty-thieves.'

/** @param {string} key @returns {string | null} */
export function recall(key) {
  try {
    return localStorage.getItem(PREFIX + key) ?? memory.get(key) ?? null
  } catch {
    return memory.get(key) ?? null
  }
}

/** @param {string} key @param {string | null} value null forgets */
export function remember(key, value) {
  if (value === null) memory.delete(key)
  else memory.set(key, value)
  try {
    if (value === null) localStorage.removeItem(PREFIX + key)
    else localStorage.setItem(PREFIX + key, value)
  } catch {
    // Storage is blocked or full; the memory above has it.
  }
}
