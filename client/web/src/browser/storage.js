/** The browser's storage. If it is blocked (private windows, strict settings), values last until the page is closed. */

/** @typedef {ReturnType<typeof createStore>} Store */

const PREFIX = 'forty-thieves.'

/** @param {() => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>} storage a function: a browser may block any access to it */
export function createStore(storage) {
  /** @type {Map<string, string>} */
  const memory = new Map()
  return {
    /** @param {string} key @returns {string | null} */
    recall(key) {
      try {
        return storage().getItem(PREFIX + key) ?? memory.get(key) ?? null
      } catch {
        return memory.get(key) ?? null
      }
    },

    /** @param {string} key @param {string | null} value null forgets */
    remember(key, value) {
      if (value === null) memory.delete(key)
      else memory.set(key, value)
      try {
        if (value === null) storage().removeItem(PREFIX + key)
        else storage().setItem(PREFIX + key, value)
      } catch {
        // Storage is blocked or full; `memory` has the value.
      }
    },
  }
}

/** Kept on this device. */
export const { recall, remember } = createStore(() => localStorage)

/** Kept in this tab. */
export const tab = createStore(() => sessionStorage)

/** A list that is kept as JSON. @param {Pick<Store, 'recall'>} store @param {string} key @returns {any[]} */
export function recallList({ recall }, key) {
  try {
    const list = JSON.parse(recall(key) ?? '[]')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** Rooms that are kept as JSON: another device may have sent them. @param {Pick<Store, 'recall'>} store @param {string} key @returns {any[]} */
export const recallRooms = (store, key) => recallList(store, key).filter((room) => typeof room?.code === 'string')
