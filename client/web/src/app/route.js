/** Where the page is: the front (`/`) or a room (`/r/CODE`). */
import { signal } from '@preact/signals'

/** @typedef {ReturnType<typeof createRoute>} Route */

/** Rooms are named by six letters. @param {string} path */
export function codeOf(path) {
  const found = /^\/r\/([A-Za-z]{6})\/?$/.exec(path)
  return found?.[1] ? found[1].toUpperCase() : null
}

/**
 * A room's code out of whatever was typed or pasted: the code in any case, or a link to the room.
 *
 * @param {string} text
 */
export function codeFrom(text) {
  const linked = /\/r\/([A-Za-z]{6})(?![A-Za-z])/.exec(text)
  const code = (linked?.[1] ?? text.replace(/[\s-]/g, '')).toUpperCase()
  return /^[A-Z]{6}$/.test(code) ? code : null
}

/** @param {Window} window */
export function createRoute(window) {
  const code = signal(codeOf(window.location.pathname))
  window.addEventListener('popstate', () => (code.value = codeOf(window.location.pathname)))

  /** @param {string} path */
  function go(path) {
    if (path !== window.location.pathname) window.history.pushState(null, '', path)
    code.value = codeOf(path)
    window.scrollTo(0, 0)
  }

  return { code, toFront: () => go('/'), toRoom: (/** @type {string} */ to) => go(`/r/${to}`) }
}
