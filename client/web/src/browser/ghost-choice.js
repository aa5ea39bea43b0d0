/** Whose ghost runs along in a practice room. The link of the room says so, and this tab keeps it. */
import { ghostFragment, ghostNameOf } from '../model/link-fragments.js'

/**
 * @import { GhostName } from '../model/link-fragments.js'
 * @import { View } from '../protocol/protocol.d.ts'
 */

/** @typedef {ReturnType<typeof createGhosts>} Ghosts */

/** @param {() => Pick<Storage, 'getItem' | 'setItem'>} storage a function, for a browser may forbid even to name it */
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
        // The memory above has it as long as this page is open.
      }
      return named
    },
  }
}

/**
 * The deal of a room, where it has been played before or may have been: `CODE/N`, or the number of an open deal.
 *
 * @param {View} view
 */
export const knownDeal = ({ race, settings }) => race.practice ?? (settings.deal === 'secret' ? null : settings.deal)

/**
 * Whether the ghost's race was on the deal that is played once more.
 *
 * @param {{code: string, race: number, practice: string | null, number: string | null}} record
 * @param {string} deal `CODE/N`, or the number of an open deal
 */
export const isSameDeal = ({ code, race, practice, number }, deal) =>
  `${code}/${race}` === deal || practice === deal || number === deal
