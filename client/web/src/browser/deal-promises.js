/**
 * This browser's memory of each deal: the server's promise before the race, and the number that the browser contributed.
 *
 * The record of a race only proves that it does not contradict itself. Only a browser that heard the promise can compare the
 * record with it. The memory is in the browser's storage, because a reloaded page must reveal the same number.
 */
import { isWinnable } from '../model/game-texts.js'
import { recallList } from './storage.js'

/** @import { DealPromise, View } from '../protocol/protocol.d.ts' */
/** @import { Store } from './storage.js' */

const KEY = 'promises'
/** The number of latest races, less than a kilobyte each. */
const KEPT = 30
/** Numbers kept for each race. Only the last one counts, but its answer may have been lost. */
const NUMBERS = 5

/**
 * @typedef {object} Heard
 * @property {string} [promised] the first fingerprint of the secret that the server sent before the start.
 * @property {DealPromise} [shown] the first signed promise of it that the server sent before the start.
 * @typedef {object} KeptAlso
 * @property {Heard} [winnable] the same for a winnable deal, which the host may still choose.
 * @property {[commitment: string, nonce: string][]} [nonces] the player's own numbers, the newest first.
 * @property {string} [revealed] the number that the server accepted.
 * @property {number} [seat] of that number
 * @typedef {Heard & KeptAlso} Kept
 * @typedef {{code: string, race: {number: number}}} Named
 * @typedef {Named & {settings: {deal: string}}} NamedDeal
 * @typedef {'promise' | 'unpromised' | 'signature' | 'number' | 'missing'} Objection
 * @typedef {ReturnType<typeof createPromises>} Promises
 */

/** @param {DealPromise} one @param {DealPromise} other */
const isSame = (one, other) => one.at === other.at && one.key === other.key && one.signature === other.signature

/** @param {Store} store */
export function createPromises(store) {
  /** @returns {[race: string, Kept][]} newest first */
  const all = () => recallList(store, KEY).filter((one) => Array.isArray(one) && one[1])

  /** @param {Named} view */
  const name = (view) => `${view.code}/${view.race.number}`

  /** @param {Named} view @returns {Kept} */
  const kept = (view) => all().find(([race]) => race === name(view))?.[1] ?? {}

  /** @param {Named} view @param {Kept} more */
  function keep(view, more) {
    const others = all().filter(([race]) => race !== name(view))
    store.remember(KEY, JSON.stringify([[name(view), { ...kept(view), ...more }], ...others].slice(0, KEPT)))
  }

  /** The promise for this kind of deal. @param {NamedDeal} view @returns {Heard} */
  const heard = (view) => (isWinnable(view.settings.deal) ? (kept(view).winnable ?? {}) : kept(view))

  return {
    /** Keep the first promise for a race, if the server made it before any racer revealed a number. @param {View} view */
    hear(view) {
      const { commitment, promise, starts_at, nonces = {}, over_at } = view.race
      // The server promises a winnable deal during the countdown. The promise counts if it came before the first number.
      const isOne = isWinnable(view.settings.deal)
      const late = isOne ? (Object.keys(nonces)[0] ?? over_at) : starts_at
      if (commitment == null || late != null) return
      const { promised, shown } = heard(view)
      if (promised && (shown || !promise)) return
      const now = { promised: promised ?? commitment, ...(promise && { shown: promise }) }
      keep(view, isOne ? { winnable: now } : now)
    },

    /** Keep a number of this browser for a race. @param {Named} view @param {string} commitment @param {string} nonce */
    draw(view, commitment, nonce) {
      const before = kept(view).nonces ?? []
      keep(view, { nonces: [/** @type {[string, string]} */ ([commitment, nonce]), ...before].slice(0, NUMBERS) })
    },

    /** The number that the server waits for, if it is known here and not revealed. @param {View} view @param {number} seat */
    toReveal(view, seat) {
      const { commitment: promised, commitments, over_at } = view.race
      const commitment = commitments?.[seat]
      // A server that knows a number before its promise could choose the deal by that number.
      if (!commitment || promised == null || over_at != null) return null
      const { nonces = [], revealed } = kept(view)
      return revealed ? null : (nonces.find(([known]) => known === commitment)?.[1] ?? null)
    },

    /** The server accepted the number. @param {Named} view @param {number} seat @param {string} nonce */
    revealed: (view, seat, nonce) => keep(view, { revealed: nonce, seat }),

    /** The promise before the race, or null if this browser did not hear it. @param {NamedDeal} view */
    of: (view) => heard(view).promised ?? null,

    /** The signed promise that this browser heard, with all that it is about. @param {NamedDeal} view */
    shown(view) {
      const { promised, shown } = heard(view)
      return promised && shown ? /** @type {const} */ ([shown, view.code, view.race.number, promised]) : null
    },

    /**
     * Where the facts of a deal after the race differ from this browser's memory. `more.objection.…` has a sentence for each.
     * @param {NamedDeal} view @param {string | null} commitment
     * @param {Readonly<Record<string, string>>} nonces by seat
     * @param {DealPromise | null} [promise] the server's promise for this deal
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
      const used = nonces[seat ?? 0]
      if (revealed && used !== revealed) found.push(used ? 'number' : 'missing')
      return found
    },
  }
}
