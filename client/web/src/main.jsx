/** Wires everything, and is the only place that passes the browser's globals on. */
import './style/tokens.css' // first: it defines the order of the layers
import './browser/older-browsers.js'
import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { createPromises } from './browser/deal-promises.js'
import { directionOf, languageFor, rememberLanguage } from './browser/language.js'
import { createMutes, createPrefs } from './browser/preferences.js'
import { createVisit, readyWhenDrawn } from './browser/room-visit.js'
import { createRoute } from './browser/route.js'
import { createSeats } from './browser/seats.js'
import { createSounds } from './browser/sounds.js'
import * as store from './browser/storage.js'
import { awaitTranslation, createNetwork, focusHeadings, keepNames, keepShell, reloadIfOutdated } from './browser/window.js'
import { createGet } from './net/fetch-as-guest.js'
import { createClock, localTime } from './net/server-clock.js'
import { createSession } from './net/session.js'
import { lookForPictures } from './parts/controls/face.jsx'
import { SiteContext } from './parts/hooks.js'
import { App } from './shell/app.jsx'
import './style/base.css'
import './style/common.css'
import './pages/print.css'
import './parts/controls/controls.css'
import { LANGUAGES, PSEUDO } from './words/compiled/languages.js'
import { language, speak } from './words/translate.js'

/** @import { Lesson } from './parts/hooks.js' */

const BEGIN_AGAIN = 5000 // the pause before the next attempt to load the messages, in ms

const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`

const route = createRoute(window)
// A racer may not watch. So a projector and an overlay watch as somebody else, and their host may race in the same browser.
const isScreen = 'po'.includes(route.place.peek().page ?? '-')
const { recall, remember } = isScreen ? store.tab : store
const guestToken = {
  get: () => recall('token'),
  set: (/** @type {string | null} */ token) => remember('token', token),
}
const promises = createPromises(store)
// Thirteen columns make small cards on a phone. The easiest game with ten is offered there first.
const prefs = createPrefs(store, matchMedia('(max-width: 600px)').matches ? 'little-forty' : undefined)
const session = createSession({
  face: prefs.face,
  connect: (code) => new WebSocket(code ? `${url}?room=${code}` : url),
  clock: createClock(localTime, Date.now),
  guestToken,
  loadRules: () => import('./rules/rules.js'),
  numbers: promises,
  isReady: (code) =>
    fetch(`/readyz?room=${code}`).then(
      ({ ok }) => ok,
      () => false,
    ),
})
effect(() => {
  const { theme, felt, back, speed } = prefs
  Object.assign(document.documentElement.dataset, { theme: theme.value, felt: felt.value, back: back.value, speed: speed.value })
})
if (['felt', 'back', 'speed'].some(store.recall)) import('./style/taste.css')

addEventListener('online', () => session.wake({ network: true }))
for (const event of ['pageshow', 'focus']) addEventListener(event, () => session.wake())
document.addEventListener('visibilitychange', () => document.hidden || session.wake())

effect(() => void (session.room.value && promises.hear(session.room.value.view)))
readyWhenDrawn(session)

// A race is kept from its first move on, or if the network is away then, from a later one.
let isLoading = false
const stop = effect(() => {
  if (!session.shown.value?.moves || isLoading) return
  isLoading = true
  import('./browser/memory.js').then(
    ({ keepRaces }) => {
      stop()
      keepRaces(session)
    },
    () => (isLoading = false),
  )
})

/** @type {(value?: unknown) => void} */
let onSpoken = () => {}
const spoken = new Promise((resolve) => (onSpoken = resolve))

const seats = createSeats(store)
const site = {
  session,
  prefs,
  route,
  visit: createVisit({ session, route, seats, prefs, spoken }),
  seats,
  mutes: createMutes(),
  promises,
  get: createGet(guestToken, (path, init) => fetch(path, init)),
  sounds: createSounds({
    isOn: () => prefs.sound.value,
    open: () => ('AudioContext' in window ? new AudioContext({ latencyHint: 'interactive' }) : null),
    isTouched: () => navigator.userActivation?.hasBeenActive ?? true, // older browsers do not tell
  }),
  lesson: signal(/** @type {Lesson | null} */ (null)),
  online: createNetwork(window),
  lost: signal(0),
  speak: async (/** @type {string} */ tag) => {
    rememberLanguage(document, tag) // immediately: the visitor may leave the page before the messages are loaded
    try {
      await speak(tag)
    } finally {
      rememberLanguage(document, language())
    }
  },
}
session.start(route.place.value.code ?? '')

const speakAsWanted = () => speak(languageFor(document, navigator.languages, [...Object.keys(LANGUAGES), PSEUDO]))

spoken.then(show)

const renew = () =>
  reloadIfOutdated(
    window,
    store.tab,
    () => site.visit.races.peek(),
    (path, init) => fetch(path, init),
  )
addEventListener('unhandledrejection', renew)
site.lost.subscribe((times) => void (times && renew()))

/** The page is shown after its messages are loaded. */
const begin = () => speakAsWanted().then(onSpoken, () => setTimeout(begin, BEGIN_AGAIN))

function show() {
  addEventListener('languagechange', () => speakAsWanted().catch(() => {}))
  effect(() => {
    document.documentElement.lang = language()
    document.documentElement.dir = directionOf(language())
    // The development server needs no offline copy.
    if (import.meta.env.PROD) keepShell(window, language())
  })
  const root = document.getElementById('app')
  if (!root) return
  lookForPictures(document)
  focusHeadings(root, window)
  keepNames()
  awaitTranslation(root)
  document.documentElement.dataset.shown = ''
  render(
    <SiteContext.Provider value={site}>
      <Page />
    </SiteContext.Provider>,
    root,
  )
}

/** @param {unknown} error that prevents the page from being drawn, for `load-check.js` */
function fail(error) {
  delete document.documentElement.dataset.shown
  setTimeout(() => {
    throw error
  })
}

function Page() {
  const [error] = useErrorBoundary(fail)
  return error ? null : <App />
}

begin()
