/**
 * What the server promised of a deal before the race, as this browser saw it then.
 *
 * After the race the server tells both the promise (its fingerprint of the secret) and the secret; who compares only
 * these two trusts it not to have changed both.
 */

const KEY = 'promises'
const KEPT = 20

/** @typedef {ReturnType<typeof createPromises>} Promises */

/** @param {import('./prefs.js').Store} store */
export function createPromises({ recall, remember }) {
  /** @returns {[string, string][]} newest first */
  function all() {
    try {
      const promises = JSON.parse(recall(KEY) ?? '[]')
      return Array.isArray(promises) ? promises : []
    } catch {
      return []
    }
  }

  /** @param {{code: string, race: {number: number}}} view */
  const name = (view) => `${view.code}/${view.race.number}`

  return {
    /** Keep the first promise heard for a race, if it has not started yet. @param {import('../net/view.js').View} view */
    hear(view) {
      const { commitment, starts_at } = view.race
      const promises = all()
      if (commitment == null || starts_at != null || promises.some(([race]) => race === name(view))) return
      remember(KEY, JSON.stringify([[name(view), commitment], ...promises].slice(0, KEPT)))
    },
    /**
     * What was promised before the race, or null if we were not there.
     *
     * @param {{code: string, race: {number: number}}} view
     */
    of: (view) => all().find(([race]) => race === name(view))?.[1] ?? null,
  }
}
