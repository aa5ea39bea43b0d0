/**
 * The pages by URL: the front page (`/`), a room (`/r/CODE`), its spectators (`/r/CODE/w`), a replay (`/r/CODE/N`), an
 * overlay for streams (`/r/CODE/o`), and a challenge (`/r/CODE/c`). A tournament also has a page for a projector (`/r/CODE/p`). Practice without a server
 * (`/practice`), a series of tournaments (`/series`) and the player's own games (`/me`) belong to no room.
 */
import { computed, signal } from '@preact/signals'
import { ghostFragment, linkParts, practiceFragment, ticketOf } from '../model/link-fragments.js'

/**
 * @import { Draft } from '../model/tournament/plan-draft.js'
 * @import { Won } from '../model/hint/variation.js'
 * @typedef {ReturnType<typeof createRoute>} Route
 * @typedef {object} Place
 * @property {string | null} code of the room; null: the front page
 * @property {boolean} watching @property {number} replay the race to replay; 0: none
 * @property {'p' | 'o' | 'c' | 'practice' | 'series' | 'me' | null} page projector, overlay, challenge, or a page without a room
 * @typedef {{endKnown?: boolean, line?: boolean}} ReplayNote
 */

const PRACTICE = '/practice'

/** The page that adds up tournaments. */
const SERIES = '/series'

/** The page with the player's own games. */
const ME = '/me'

/** The pages without a room. @type {Record<string, 'practice' | 'series' | 'me'>} */
const IN_NO_ROOM = { [PRACTICE]: 'practice', [SERIES]: 'series', [ME]: 'me' }

/** A room code has six letters. @param {string} path without what follows a link @returns {Place} */
export function placeOf(path) {
  const [, code, rest = ''] = /^\/r\/([A-Za-z]{6})(?:\/([wpoc]|[1-9][0-9]{0,5}))?$/i.exec(path) ?? []
  const page = rest.toLowerCase()
  return {
    code: code?.toUpperCase() ?? null,
    watching: page === 'w',
    replay: Number.parseInt(page, 10) || 0,
    page: IN_NO_ROOM[path.toLowerCase()] ?? (page === 'p' || page === 'o' || page === 'c' ? page : null),
  }
}

/** The mistyped room code in the URL of an unknown page. "" on the front page. @param {string} path */
export const mistypedIn = (path) => /^\/(?:r\/)?([\w-]{0,20})/.exec(path)?.[1] ?? ''

/** The fragment of the front page for hosting a tournament. */
export const HOSTING = '#tournament'

/** The fragment of a tournament for its sheets to print. */
export const PRINTING = '#print'

/**
 * The room in a typed or pasted text: its code in upper or lower case, or a link to it.
 * @param {string} text @returns {{code: string, fragment: string} | null} fragment: that of the link
 */
export function roomFrom(text) {
  const [path, fragment] = linkParts(text.slice(Math.max(0, text.search(/(?:\/|%2F)r(?:\/|%2F)[a-z]{6}(?![a-z])/i))))
  const code = (/^\/r\/(.{6})/.exec(path)?.[1] ?? text.replace(/[\W_]/g, '')).toUpperCase()
  return /^[A-Z]{6}$/.test(code) ? { code, fragment } : null
}

/** @param {Window} window */
export function createRoute(window) {
  const { history, location } = window
  tidy()
  const place = signal(placeOf(location.pathname))
  /** The fragment of the URL, with its `#`. */
  const hash = signal(location.hash)
  /** The entry of the history that is shown, and its note. */
  let shown = location.pathname + location.hash
  let note = history.state
  /** Whether the way back out of this entry asks first, and whether this entry is in the history twice for that. */
  let isHeld = false
  let isTwice = false
  /** The player has agreed to go back. */
  let isAgreed = false

  /** Remove from the URL what follows the link. */
  function tidy() {
    const given = location.pathname + location.hash
    const [path, fragment] = linkParts(given)
    if (path + fragment !== given) history.replaceState(history.state, '', location.origin + path + location.search + fragment)
  }

  function look() {
    tidy()
    place.value = placeOf(location.pathname)
    hash.value = location.hash
    shown = location.pathname + location.hash
    note = history.state
  }

  /** After the Back button or gesture: the browser has already changed the URL, so a page that asks first gets its URL again. */
  function moved() {
    const isSame = location.pathname + location.hash === shown
    if (isAgreed) {
      isAgreed = false
      return look()
    }
    if (isSame && !isHeld) {
      if (!isTwice) return look()
      isTwice = false
      return history.back()
    }
    let isAsked = false
    let isGone = false
    ask(placeOf(isSame ? '/' : location.pathname), () => {
      isGone = true
      if (!isAsked) return look()
      if (isSame) return enter('/')
      isAgreed = true
      history.back()
    })
    isAsked = true
    if (!isGone) history.pushState(note, '', shown)
  }
  window.addEventListener('popstate', moved)
  window.addEventListener('hashchange', () => {
    tidy()
    // The player opened a personal link on the page of its room. Only a reload enters with the new link.
    if (ticketOf(location.hash)) location.reload()
    else look()
  })

  /** Decides whether and when to call `go`. @type {(place: Place, go: () => void) => void} */
  let ask = (_, go) => go()

  /** @param {string} path @param {string} [fragment] @param {any} [note] */
  function enter(path, fragment = '', note = null) {
    if (path !== location.pathname || fragment !== location.hash) history.pushState(note, '', path + fragment)
    look()
    window.scrollTo(0, 0)
  }

  /** @param {string} path @param {string} [fragment] @param {any} [note] for the next page, kept in the history entry */
  const go = (path, fragment, note) => ask(placeOf(path), () => enter(path, fragment, note))

  return {
    place,
    hash,
    code: computed(() => place.value.code),
    note: () => history.state,
    mistyped: () => mistypedIn(location.pathname),

    /** Set the function that must agree before the page changes. @param {typeof ask} first */
    askFirst(first) {
      ask = first
    },

    /** Whether the way back out of the site asks first, too. @param {boolean} on */
    hold(on) {
      isHeld = on
      if (!on || isTwice) return
      isTwice = true
      history.pushState(note, '', shown)
    },

    /** Change the fragment, on the same page. @param {string} fragment */
    replaceFragment(fragment) {
      history.replaceState(history.state, '', location.pathname + fragment)
      look()
    },

    /** Remove the fragment from the URL and from the history. */
    dropFragment() {
      history.replaceState(history.state, '', location.pathname)
      look()
    },

    toFront: () => go('/'),
    toMe: () => go(ME),
    toHosting: () => go('/', HOSTING),
    /** @param {Draft} draft the form's first values, kept in the history entry and not in the URL */
    toHostingLike: (draft) => go('/', HOSTING, { draft }),
    toPrint: () => go(location.pathname, PRINTING),
    /** Back from the sheets to the tournament. */
    fromPrint: () => go(location.pathname),
    /** To the choice of a deal for practice. */
    toChoice: () => go(PRACTICE),
    /** @param {string} game @param {string} number of the deal @param {Won} [won] the known facts about it */
    toPractice: (game, number, won) => go(PRACTICE, practiceFragment(game, number), won),
    /** @param {string} fragment names the tournaments */
    toSeries: (fragment) => go(SERIES, fragment),
    /** @param {string} code @param {string} [fragment] */
    toRoom: (code, fragment) => go(`/r/${code}`, fragment),
    /** @param {string} code */
    toWatch: (code) => go(`/r/${code}/w`),
    /** @param {string} code */
    toChallenge: (code) => go(`/r/${code}/c`),
    /** To practice on the deal of a race. @param {string} code @param {number} race @param {number | 'all'} ghosts */
    toPracticeOf: (code, race, ghosts) => go(`/r/${code}/${race}`, ghostFragment(ghosts)),
    /** @param {string} code @param {number} race @param {string} fragment of a moment in its replay */
    toMoment: (code, race, fragment) => go(`/r/${code}/${race}`, fragment, { endKnown: true }),
    /** `line`: play the winning moves. @param {string} code @param {number} race @param {ReplayNote} [note] */
    toReplay: (code, race, note) => go(`/r/${code}/${race}`, '', note),
  }
}
