/**
 * What this browser remembers of each deal: what the server promised before the race, and the number that it contributed.
 *
 * The record of a race proves that it does not contradict itself. Only somebody who was there can tell that it is the record
 * of what was promised then. It is kept in the browser's storage, for a page that is loaded again has to reveal the same number.
 */

import { isWinnable } from '../model/game-texts.js'

/**
 * @import { View } from '../protocol/protocol.d.ts'
 * @import { Promised } from '../record/promise.js'
 * @import { Store } from './preferences.js'
 * @import { Verifier } from './verifier.js'
 */

const KEY = 'promises'
/** The latest races; less than a kilobyte each. */
const KEPT = 30
/** Numbers that are kept of a race: only the last one counts, but the answer to it may have been lost. */
const NUMBERS = 5

/**
 * @typedef {object} Heard
 * @property {string} [promised] the fingerprint of the secret, as it was first heard, before the start
 * @property {Promised} [shown] the server's signed promise of it, as it was first shown, before the start
 *
 * @typedef {object} KeptAlso
 * @property {Heard} [winnable] the same if the deal is to be one that can be won: the host may choose that later
 * @property {[commitment: string, nonce: string][]} [nonces] one's own numbers, the newest first
 * @property {string} [revealed] the one that the server has taken
 * @property {number} [seat] at which that was
 *
 * @typedef {Heard & KeptAlso} Kept
 * @typedef {{code: string, race: {number: number}}} Named
 * @typedef {Named & {settings: {deal: string}}} NamedDeal
 * @typedef {'promise' | 'unpromised' | 'signature' | 'number' | 'missing'} Objection
 * @typedef {ReturnType<typeof createPromises>} Promises
 */

/** @param {Promised} one @param {Promised} other */
const isSame = (one, other) => one.at === other.at && one.key === other.key && one.signature === other.signature

/** @param {Store} store */
export function createPromises({ recall, remember }) {
  /** @returns {[race: string, Kept][]} newest first */
  function all() {
    try {
      const kept = JSON.parse(recall(KEY) ?? '[]')
      return kept.map((/** @type {[string, any]} */ [race, of]) => [race, of ?? {}])
    } catch {
      return []
    }
  }

  /** @param {Named} view */
  const name = (view) => `${view.code}/${view.race.number}`

  /** @param {Named} view @returns {Kept} */
  const kept = (view) => all().find(([race]) => race === name(view))?.[1] ?? {}

  /** @param {Named} view @param {Kept} more */
  function keep(view, more) {
    const others = all().filter(([race]) => race !== name(view))
    remember(KEY, JSON.stringify([[name(view), { ...kept(view), ...more }], ...others].slice(0, KEPT)))
  }

  /** What was promised of such a deal. @param {NamedDeal} view @returns {Heard} */
  const heard = (view) => (isWinnable(view.settings.deal) ? (kept(view).winnable ?? {}) : kept(view))

  return {
    /**
     * Keep the first promise heard for a race, if no number can have been revealed before it was made.
     *
     * @param {View} view
     */
    hear(view) {
      const { commitment, promise, starts_at, nonces = {}, over_at } = view.race
      // The promise of a winnable deal comes with the countdown. It holds as long as the server deals by no number.
      const isOne = isWinnable(view.settings.deal)
      const late = isOne ? (Object.keys(nonces)[0] ?? over_at) : starts_at
      if (commitment == null || late != null) return
      const { promised, shown } = heard(view)
      if (promised && (shown || !promise)) return
      const now = { promised: promised ?? commitment, ...(promise && { shown: promise }) }
      keep(view, isOne ? { winnable: now } : now)
    },

    /** Keep a number of one's own for a race. @param {Named} view @param {string} commitment @param {string} nonce */
    draw(view, commitment, nonce) {
      const before = kept(view).nonces ?? []
      keep(view, { nonces: [/** @type {[string, string]} */ ([commitment, nonce]), ...before].slice(0, NUMBERS) })
    },

    /**
     * The number that the server waits for from this seat, if this browser knows it and has not revealed it.
     *
     * @param {View} view
     * @param {number} seat
     */
    toReveal(view, seat) {
      const { commitment: promised, commitments, over_at } = view.race
      const commitment = commitments?.[seat]
      // Who hears a number before having promised a deal could choose the deal by it.
      if (!commitment || promised == null || over_at != null) return null
      const { nonces = [], revealed } = kept(view)
      return revealed ? null : (nonces.find(([known]) => known === commitment)?.[1] ?? null)
    },

    /** The server has taken the number. @param {Named} view @param {number} seat @param {string} nonce */
    revealed: (view, seat, nonce) => keep(view, { revealed: nonce, seat }),

    /** What was promised before the race, or null if we were not there. @param {NamedDeal} view */
    of: (view) => heard(view).promised ?? null,

    /**
     * Whether the promise that was shown is not signed for this deal. It takes the library for signatures, which only the worker
     * that verifies has.
     *
     * @param {NamedDeal} view
     * @param {Verifier['isPromised']} isPromised
     */
    async isShownUnsigned(view, isPromised) {
      const { promised, shown } = heard(view)
      return Boolean(promised && shown && !(await isPromised(shown, view.code, view.race.number, promised)))
    },

    /**
     * What is said of a deal after the race and is not as this browser remembers it: `race.objection.…` says each in a sentence.
     *
     * @param {NamedDeal} view
     * @param {string | null} commitment
     * @param {Readonly<Record<string, string>>} nonces by seat
     * @param {Promised | null} [promise] the server's of this deal
     * @returns {Objection[]}
     */
    objections(view, commitment, nonces, promise = null) {
      const { promised, shown } = heard(view)
      const { revealed, seat } = kept(view)
      /** @type {Objection[]} */
      const found = []
      if (promised && promised !== commitment) found.push('promise')
      else if (shown && !promise) found.push('unpromised')
      else if (shown && promise && !isSame(shown, promise)) found.push('signature')
      const said = nonces[seat ?? 0]
      if (revealed && said !== revealed) found.push(said ? 'number' : 'missing')
      return found
    },
  }
}
