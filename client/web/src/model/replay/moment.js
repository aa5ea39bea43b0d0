/** A moment of a replay, as the `#` of its link says it. */

/**
 * @typedef {object} Moment
 * @property {'time' | 'stock'} along
 * @property {number} position ms since the start, or cards of the stock
 * @property {number} seat whose board is large, 0: all are shown
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
