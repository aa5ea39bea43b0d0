/** What the player has won in practice, by game. Kept in this browser. */
import { recallList } from './storage.js'

/** @import { Store } from './storage.js' */

/**
 * @typedef {object} Results
 * @property {string} game its key @property {number} streak the number of wins in a row
 * @property {number | null} best the shortest time, in ms
 * @property {string | null} deal that is being played @property {string | null} known the last deal with a known win: it counts no more
 */

const KEY = 'practice'

/** @param {Store} store */
export function createPracticeResults(store) {
  /** @param {string} game @param {(results: Results) => Partial<Results>} change @returns {Results} */
  function update(game, change) {
    /** @type {Results[]} */
    const all = recallList(store, KEY)
    const before = all.find((one) => one.game === game) ?? { game, streak: 0, best: null, deal: null, known: null }
    const after = { ...before, ...change(before) }
    store.remember(KEY, JSON.stringify([after, ...all.filter((one) => one.game !== game)]))
    return after
  }
  return {
    /** The player moves. A deal that was left before ends the streak. @param {string} game @param {string} deal */
    plays: (game, deal) =>
      update(game, (now) => (deal === now.known ? {} : { deal, streak: (now.deal ?? deal) === deal ? now.streak : 0 })),
    /** The player sees how the deal is won. @param {string} game @param {string} deal */
    givesUp: (game, deal) => update(game, () => ({ deal: null, known: deal, streak: 0 })),
    /** @param {string} game @param {string} deal @param {number} ms */
    wins: (game, deal, ms) =>
      update(game, (now) =>
        deal === now.deal ? { deal: null, known: deal, streak: now.streak + 1, best: Math.min(ms, now.best ?? ms) } : {},
      ),
  }
}
