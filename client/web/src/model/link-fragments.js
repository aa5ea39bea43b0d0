/**
 * What stands behind the `#` of a link, which no server is sent: a moment of a replay, whose ghost races along in a room, a
 * personal link to a tournament's entry list, or the deal that is practised without a server.
 */

/**
 * @typedef {object} Moment
 * @property {'time' | 'stock'} along
 * @property {number} position ms since the start, or cards of the stock
 * @property {number} seat whose board is large, 0: all are shown
 *
 * @typedef {{code: string, race: number, seat: number}} GhostName
 */

/** @param {string} hash @returns {Moment | null} */
export function momentOf(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const number = (/** @type {string} */ key) =>
    /^\d{1,7}(\.\d{1,3})?$/.test(parts.get(key) ?? '') ? Number(parts.get(key)) : null
  const [seconds, card] = [number('t'), number('card')]
  if (seconds === null && card === null) return null
  const seat = Math.floor(number('board') ?? 0)
  return card === null
    ? { along: 'time', position: Math.round((seconds ?? 0) * 1000), seat }
    : { along: 'stock', position: card, seat }
}

/** `#t=83.4`, or `#card=23&board=2`. @param {Moment} moment */
export function fragmentOf({ along, position, seat }) {
  // Seconds with a tenth are as near as anybody can see, and rounding down would show the moment before.
  const at = along === 'time' ? `t=${Math.ceil(position / 100) / 10}` : `card=${Math.ceil(position * 100) / 100}`
  return `#${at}${seat ? `&board=${seat}` : ''}`
}

/** @param {string} hash @returns {GhostName | null} */
export function ghostNameOf(hash) {
  const [, code, race, seat] = /^#ghost=([A-Z]{6})\/([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(hash) ?? []
  return code ? { code, race: Number(race), seat: Number(seat) } : null
}

/** @param {GhostName} ghost */
export const ghostFragment = ({ code, race, seat }) => `#ghost=${code}/${race}/${seat}`

/** The ticket of a personal link. @param {string} hash @returns {string} '' where there is none */
export const ticketOf = (hash) => /^#entry=([\w-]{16,64})$/.exec(hash)?.[1] ?? ''

/** @param {string} ticket */
export const ticketFragment = (ticket) => `#entry=${ticket}`

/** The game and the number of the deal that is practised. @param {string} hash */
export function practiceOf(hash) {
  const [, game, number] = /^#([a-z-]{1,40})=(\d{1,21})$/.exec(hash) ?? []
  return game && number ? { game, number } : null
}

/** @param {string} game @param {string} number */
export const practiceFragment = (game, number) => `#${game}=${number}`
