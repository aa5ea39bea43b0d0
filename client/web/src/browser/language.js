/** The language for this browser. A cookie keeps the player's choice, so that the server's pages can use it, too. */

const COOKIE = 'language'
/** The longest that browsers keep a cookie (RFC 6265bis: 400 days), seconds. */
const KEEP = 400 * 86_400

/**
 * @param {{cookie: string}} document @param {readonly string[]} wanted BCP 47 tags, the best first
 * @param {readonly string[]} have the first is the default
 */
export function languageFor({ cookie }, wanted, have) {
  const chosen = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(cookie)?.[1]
  if (chosen && have.includes(chosen)) return chosen
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find((tag) => have.includes(tag)) ?? have[0]
}

/** Languages with many speakers that are written from right to left. */
const FROM_RIGHT = /^(ar|fa|he|ur)\b/

/** @param {string} tag */
export const directionOf = (tag) => (FROM_RIGHT.test(tag) ? 'rtl' : 'ltr')

/** @param {{cookie: string}} document @param {string} tag */
export function rememberLanguage(document, tag) {
  document.cookie = `${COOKIE}=${tag}; path=/; max-age=${KEEP}; samesite=lax`
}
