/**
 * Where the page is: the front (`/`), a room (`/r/CODE`), watching it (`/r/CODE/w`), a replay (`/r/CODE/N`), or an overlay
 * for streams (`/r/CODE/o`). A tournament also has a page for a projector (`/r/CODE/p`). Practice without a server (`/practice`) and a series of tournaments (`/series`) are in no room.
 */
import { computed, signal } from '@preact/signals'
import { practiceFragment, ticketOf } from '../model/link-fragments.js'

/**
 * @import { Draft } from '../model/tournament/plan-draft.js'
 * @import { Won } from '../model/hint/variation.js'
 */

/** @typedef {ReturnType<typeof createRoute>} Route */

/**
 * @typedef {object} Place
 * @property {string | null} code of the room; null: the front page
 * @property {boolean} watching
 * @property {number} replay of which race; 0: none
 * @property {'p' | 'o' | 'practice' | 'series' | null} page of a tournament, the overlay, or one that is in no room
 */

/** Where one practises without a server. */
const PRACTICE = '/practice'

/** Behind its address: one looks for a deal that can be won. */
export const WINNABLE = '#winnable'

/** Where tournaments are added up. */
const SERIES = '/series'

/** The pages that are in no room. @type {Record<string, 'practice' | 'series'>} */
const IN_NO_ROOM = { [PRACTICE]: 'practice', [SERIES]: 'series' }

/**
 * Rooms are named by six letters. What ends the sentence in which a link stands, many programs take for a part of it.
 * (Each character can be read in one way only: with more ways, a long link would stop the browser for minutes.)
 *
 * @param {string} path @returns {Place}
 */
export function placeOf(path) {
  const [, code, rest = ''] = /^\/r\/([A-Za-z]{6})(?:\/([wpo]|[1-9][0-9]{0,5}))?(?:%[0-9A-Fa-f]{2}|[^%\w])*$/.exec(path) ?? []
  return {
    code: code?.toUpperCase() ?? null,
    watching: rest === 'w',
    replay: Number.parseInt(rest, 10) || 0,
    page: IN_NO_ROOM[path] ?? (rest === 'p' || rest === 'o' ? rest : null),
  }
}

/**
 * What somebody took for a room's code, in an address that leads to no page. "" on the front page.
 *
 * @param {string} path
 */
export const mistypedIn = (path) => /^\/(?:r\/)?([\w-]{0,20})/.exec(path)?.[1] ?? ''

/** Behind the front page's address: somebody is about to host a tournament. */
export const HOSTING = '#tournament'

/** Behind a tournament's address: its sheets to print. */
export const PRINTING = '#print'

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
  const { history, location } = window
  const place = signal(placeOf(location.pathname))
  /** What stands behind the `#`. */
  const hash = signal(location.hash)

  function look() {
    place.value = placeOf(location.pathname)
    hash.value = location.hash
  }
  window.addEventListener('popstate', look)
  window.addEventListener('hashchange', () => {
    // A personal link that is opened over the page of its room: one has to come in anew by it.
    if (ticketOf(location.hash)) location.reload()
    else look()
  })

  /** Goes on, now or later or not at all. @type {(place: Place, go: () => void) => void} */
  let ask = (_, go) => go()

  /**
   * @param {string} path @param {string} [fragment]
   * @param {any} [note] for the page that is gone to, kept with its address
   */
  function go(path, fragment = '', note = null) {
    ask(placeOf(path), () => {
      if (path !== location.pathname || fragment !== location.hash) history.pushState(note, '', path + fragment)
      look()
      window.scrollTo(0, 0)
    })
  }

  return {
    place,
    hash,
    code: computed(() => place.value.code),
    note: () => history.state,
    mistyped: () => mistypedIn(location.pathname),

    /** Whoever wants to go to another place on this page is asked by this first. @param {typeof ask} first */
    askFirst(first) {
      ask = first
    },

    /** Say something else behind the `#`, on the same page. @param {string} fragment */
    replaceFragment(fragment) {
      history.replaceState(history.state, '', location.pathname + fragment)
      look()
    },

    /** Take what stands behind the `#` out of the address, and out of the history. */
    dropFragment() {
      history.replaceState(history.state, '', location.pathname)
      look()
    },

    toFront: () => go('/'),
    toHosting: () => go('/', HOSTING),
    /** @param {Draft} draft what is filled in already: kept with the address, not in it */
    toHostingLike: (draft) => go('/', HOSTING, { draft }),
    toPrint: () => go(location.pathname, PRINTING),
    /** Back to the page whose sheets were printed. */
    fromPrint: () => go(location.pathname),
    /** Where one looks for a deal that can be won. */
    toWinnable: () => go(PRACTICE, WINNABLE),
    /** @param {string} game @param {string} number of the deal @param {Won} [won] what is known of it */
    toPractice: (game, number, won) => go(PRACTICE, practiceFragment(game, number), won),
    /** @param {string} fragment which tournaments */
    toSeries: (fragment) => go(SERIES, fragment),
    /** @param {string} code @param {string} [fragment] */
    toRoom: (code, fragment) => go(`/r/${code}`, fragment),
    /** @param {string} code */
    toWatch: (code) => go(`/r/${code}/w`),
    /** @param {string} code @param {number} race @param {{endKnown?: boolean, line?: boolean}} [note] `line`: the moves that win its deal are to be played */
    toReplay: (code, race, note) => go(`/r/${code}/${race}`, '', note),
  }
}
