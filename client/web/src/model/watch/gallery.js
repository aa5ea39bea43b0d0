/**
 * The boards that a spectator may see: the visible prefix of each seat's log (PROTOCOL.md, "Watching").
 *
 * These are plain logs. The page builds a board from its log only to show it, so a race of a thousand costs no more than the
 * boards on the screen.
 * @typedef {[text: string, turned: string]} Entry
 * @typedef {object} Gallery
 * @property {number} race @property {string} policy the applied watch policy, or `over`
 * @property {readonly string[] | null} start the columns as dealt; null: nothing is visible yet
 * @property {ReadonlyMap<number, readonly Entry[]>} logs by seat
 * @typedef {{race: number, stock: number}} Hidden how many stock cards all racers have drawn
 */

/**
 * The gallery with more of its boards.
 * @param {Gallery} gallery @param {number} race
 * @param {readonly [seat: number, before: number, entries: Entry[]][]} rows
 * @returns {Gallery | null} null: entries are missing, so the client needs a new snapshot
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
