/** The ghost of a practice room. The link of the room names it, and this tab remembers it. */
import { ghostFragment, ghostNameOf } from '../model/link-fragments.js'

/** @import { GhostName } from '../model/link-fragments.js' */
/** @import { View } from '../protocol/protocol.d.ts' */
/** @import { RaceRecord } from '../record/race-record.js' */
/** @import { Store } from './storage.js' */
/** @typedef {ReturnType<typeof createGhosts>} Ghosts */

/** @param {Store} tab */
export const createGhosts = ({ recall, remember }) => ({
  /** @param {string} code of the room @param {string} hash of its link @returns {GhostName | null} */
  at(code, hash) {
    const named = ghostNameOf(hash)
    if (named) remember(`ghost.${code}`, ghostFragment(named))
    return named ?? ghostNameOf(recall(`ghost.${code}`) ?? '')
  },
})

/** The deal of a room, if players may have played it before: `CODE/N`, or the number of an open deal. @param {View} view */
export const knownDeal = ({ race, settings }) => race.practice ?? (settings.deal === 'secret' ? null : settings.deal)

/** Whether a ghost's race had this deal, as in `knownDeal`. @param {Pick<RaceRecord, 'code' | 'race' | 'practice' | 'number'>} record @param {string} deal */
export const isSameDeal = ({ code, race, practice, number }, deal) =>
  `${code}/${race}` === deal || practice === deal || number === deal
