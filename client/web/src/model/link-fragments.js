/**
 * The fragments of links, after the `#`. Browsers do not send them to the server. They name the ticket of a
 * personal link to a tournament's entry list, the player from another device, the deal to practise, or the ghosts for practice on the deal of a race.
 * `replay/play-head.js` has the moment of a replay.
 */

const LONGEST = 8000 // more than any link; some patterns try each end from each place, which takes minutes for a long text

/** Without the punctuation at its end. @param {string} text */
const withoutEnd = (text) => text.replace(/(?:%[\da-f]{2}|[^\w-])+$/i, '')

/** Letters, digits and signs of our links, written in code. */
const CODED = /%(?:2[df]|3[\dd]|[46][1-9a-f]|[57][\da]|5f)/gi

/**
 * A link as it was meant. Programs take what is behind it into a link, add parameters of their own, and write some of its signs
 * in code. Both parts of every link end with a letter, a digit or a hyphen.
 * @param {string} link its path and fragment, or a text that begins with them
 * @returns {[path: string, fragment: string]}
 */
export function linkParts(link) {
  const coded = link.slice(0, LONGEST).split(/\s|%20/, 1)[0] ?? ''
  const whole = withoutEnd(coded.replace(CODED, decodeURIComponent))
  const [before = '', after = ''] = whole.split(whole.includes('#') ? '#' : /%(?:25)*23/)
  const path = (/^[\w/-]+/.exec(before)?.[0] ?? '').replace(/\/+/g, '/').replace(/[_/-]+$/, '')
  const fragment = withoutEnd(after.split('?', 1)[0] ?? '')
  return [path.replace(/^\/R\//, '/r/') || '/', fragment && `#${fragment}`]
}

/** The ghosts for practice on the deal of a race: a seat, all, or 0 for none. Null: no practice. @param {string} hash */
export function ghostsIn(hash) {
  const [, all, seat] = /^#play=(?:(all)|(\d{1,6}))\b/i.exec(hash) ?? []
  return all ? 'all' : seat ? Number(seat) : null
}

/** @param {number | 'all'} ghosts */
export const ghostFragment = (ghosts) => `#play=${ghosts}`

/** The ticket of a personal link. @param {string} hash @returns {string} '' if there is none */
export const ticketOf = (hash) => /^#entry=([\w-]{22})/i.exec(hash)?.[1] ?? ''

/** @param {string} ticket */
export const ticketFragment = (ticket) => `#entry=${ticket}`

/** The code that brings the player from another device or address, and the path to go on at. @param {string} hash */
export function carriedIn(hash) {
  const [, code, path = '/me'] = /^#carry=([\da-f]{32})(\/r\/[A-Z]{6}(?:\/c)?)?$/.exec(hash) ?? []
  return code ? { code, path } : null
}

/** The game and the number of the deal to practise. @param {string} hash */
export function practiceOf(hash) {
  const [, game, number] = /^#([a-z-]{1,40})=(\d{1,21})\b/.exec(hash) ?? []
  return game && number ? { game, number } : null
}

/** @param {string} game @param {string} number */
export const practiceFragment = (game, number) => `#${game}=${number}`
