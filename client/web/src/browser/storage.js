/** The browser's storage. If it is blocked (private windows, strict settings), values last until the page is closed. */

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
    // Storage is blocked or full; `memory` has the value.
  }
}
