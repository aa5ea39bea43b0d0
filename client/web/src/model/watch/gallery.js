/**
 * What a watcher is shown of the boards: of each seat's log, the entries that may be seen so far (PROTOCOL.md,
 * "Watching").
 *
 * These are plain logs. A board is folded from its log by whoever shows it, so that a race of a thousand costs nobody
 * more than the boards on the screen.
 *
 * @typedef {[text: string, turned: string]} Entry
 *
 * @typedef {object} Gallery
 * @property {number} race
 * @property {string} policy by which it was chosen what is shown, or `over`
 * @property {readonly string[] | null} start the columns as dealt; null: nothing may be seen yet
 * @property {ReadonlyMap<number, readonly Entry[]>} logs by seat
 *
 * @typedef {{race: number, moves: number, stock: number}} Hidden how far the slowest racer is
 */

/**
 * @param {number} race @param {string} policy @param {readonly string[] | null} start
 * @param {readonly [seat: number, entries: Entry[]][]} logs
 * @returns {Gallery}
 */
export const galleryOf = (race, policy, start, logs) => ({ race, policy, start, logs: new Map(logs) })

/**
 * The gallery with more of its boards.
 *
 * @param {Gallery} gallery @param {number} race
 * @param {readonly [seat: number, before: number, entries: Entry[]][]} rows
 * @returns {Gallery | null} null: something is missing in between, so one must be shown everything anew
 */
export function withMore(gallery, race, rows) {
  if (race !== gallery.race) return gallery
  const logs = new Map(gallery.logs)
  for (const [seat, before, entries] of rows) {
    const log = logs.get(seat) ?? []
    if (log.length !== before) return null
    logs.set(seat, [...log, ...entries])
  }
  return { ...gallery, logs }
}
