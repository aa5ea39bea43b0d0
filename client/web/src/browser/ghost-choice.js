/** The ghost of a practice room. The link of the room names it, and this tab remembers it. */
import { ghostFragment, ghostNameOf } from '../model/link-fragments.js'

/**
 * @import { GhostName } from '../model/link-fragments.js'
 * @import { View } from '../protocol/protocol.d.ts'
 */

/** @typedef {ReturnType<typeof createGhosts>} Ghosts */

/** @param {() => Pick<Storage, 'getItem' | 'setItem'>} storage a function, because a browser may block any access to it */
export function createGhosts(storage) {
  /** @type {Map<string, string>} by room */
  const memory = new Map()
  const keyOf = (/** @type {string} */ code) => `forty-thieves.ghost.${code}`

  /** @param {string} code */
  function recall(code) {
    try {
      return storage().getItem(keyOf(code)) ?? memory.get(code) ?? ''
    } catch {
      return memory.get(code) ?? ''
    }
  }

  return {
    /** @param {string} code of the room @param {string} hash of its link @returns {GhostName | null} */
    at(code, hash) {
      const named = ghostNameOf(hash)
      if (!named) return ghostNameOf(recall(code))
      const fragment = ghostFragment(named)
      memory.set(code, fragment)
      try {
        storage().setItem(keyOf(code), fragment)
      } catch {
        // `memory` keeps it while this page is open.
      }
      return named
    },
  }
}

/**
 * The deal of a room, if players may have played it before: `CODE/N`, or the number of an open deal.
 * @param {View} view
 */
export const knownDeal = ({ race, settings }) => race.practice ?? (settings.deal === 'secret' ? null : settings.deal)

/**
 * Whether the ghost's race had this deal.
 * @param {{code: string, race: number, practice: string | null, number: string | null}} record
 * @param {string} deal `CODE/N`, or the number of an open deal
 */
export const isSameDeal = ({ code, race, practice, number }, deal) =>
  `${code}/${race}` === deal || practice === deal || number === deal
