/** Times and numbers as people read them. */

/** `3:21`, or `1:02:05`. @param {number} ms */
export function clockText(ms) {
  const all = Math.max(0, Math.floor(ms / 1000))
  const seconds = String(all % 60).padStart(2, '0')
  const minutes = Math.floor(all / 60) % 60
  const hours = Math.floor(all / 3600)
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

/** `3:21.4`: a finishing time, where tenths decide. @param {number} ms */
export const finishText = (ms) => `${clockText(ms)}.${Math.floor((Math.max(0, ms) % 1000) / 100)}`

/** `1 card`, `2 cards`. @param {number} count @param {string} one */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

/** `1st`, `2nd`, `11th`. @param {number} place */
export function placeText(place) {
  const ending = { one: 'st', two: 'nd', few: 'rd' }
  const kind = new Intl.PluralRules('en', { type: 'ordinal' }).select(place)
  return place + (ending[/** @type {keyof typeof ending} */ (kind)] ?? 'th')
}
