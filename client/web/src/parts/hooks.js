/** What every page may use, handed down instead of imported, so that a page can be shown with anything behind it. */

import { computed, effect, untracked } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createAfterPaint } from '../browser/after-paint.js'
import { phaseOf } from '../model/race/room-view.js'
import { Refusal } from '../net/refusal.js'
import { t } from '../words/translate.js'

/**
 * @import { Promises } from '../browser/deal-promises.js'
 * @import { Ghosts } from '../browser/ghost-choice.js'
 * @import { Mutes } from '../browser/mutes.js'
 * @import { Prefs } from '../browser/preferences.js'
 * @import { Visit } from '../browser/room-visit.js'
 * @import { Route } from '../browser/route.js'
 * @import { Seats } from '../browser/seats.js'
 * @import { Sounds } from '../browser/sounds.js'
 * @import { View } from '../protocol/protocol.d.ts'
 * @import { Get } from '../net/fetch-as-guest.js'
 * @import { Session } from '../net/session.js'
 * @import { ReadonlySignal, Signal } from '@preact/signals'
 */

/**
 * @typedef {object} Site
 * @property {Session} session
 * @property {Prefs} prefs
 * @property {Route} route
 * @property {Visit} visit
 * @property {Seats} seats
 * @property {Mutes} mutes
 * @property {Promises} promises
 * @property {Get} get
 * @property {Ghosts} ghosts
 * @property {ReadonlySignal<boolean>} online whether there is a network
 * @property {Sounds} sounds
 * @property {(tag: string) => Promise<void>} speak another language from now on, also at the next visit
 * @property {Signal<Lesson | null>} lesson the one that covers the page
 */

/**
 * @typedef {object} Lesson of how a game is played
 * @property {string} game its key
 * @property {'front.close' | 'front.practise.start' | 'race.room.backToIt'} [done] what the button at its end says, if there is more to do than to close it
 * @property {() => void} [onDone] what is done then, and when it is skipped
 */

export const SiteContext = createContext(/** @type {Site} */ (/** @type {unknown} */ (null)))

export const useSite = () => useContext(SiteContext)

/** Whether two pieces of plain data say the same. @param {unknown} one @param {unknown} other */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

/**
 * What follows from the server's time, which is looked at every so many ms: whoever asks is rendered again only when it has
 * changed.
 *
 * @template [T=number]
 * @param {number} every
 * @param {(now: number) => T} read gives plain data
 */
export function useNow(every, read = (now) => /** @type {any} */ (now)) {
  const { clock } = useSite().session
  const [, look] = useState({})
  const value = read(clock.now())
  const rendered = useRef({ read, value })
  rendered.current = { read, value }
  useEffect(() => {
    const timer = setInterval(() => {
      const { read, value } = rendered.current
      if (!isSame(read(clock.now()), value)) look({})
    }, every)
    return () => clearInterval(timer)
  }, [clock, every])
  return value
}

/**
 * The phase of a room, which changes at the start of a race without a word from the server.
 *
 * @param {View} view
 */
export function usePhase(view) {
  const { clock } = useSite().session
  const [, look] = useState(0)
  const phase = phaseOf(view, clock.now())
  const starts = view.race.starts_at ?? 0
  useEffect(() => {
    if (phase !== 'countdown') return
    /** @type {ReturnType<typeof setTimeout>} */
    let timer
    // The clock may still be corrected while one waits, so look again now and then, and shortly before.
    const wait = () => {
      const left = starts - clock.now()
      timer = left > 0 ? setTimeout(wait, Math.max(10, Math.min(100, left / 2))) : setTimeout(() => look(starts))
    }
    wait()
    return () => clearTimeout(timer)
  }, [phase, starts])
  return phase
}

/**
 * One's own board in a race, as long as it is that race's.
 *
 * @param {number} race
 */
export function useOwnBoard(race) {
  const { session } = useSite()
  return useMemo(() => computed(() => (session.shown.value?.race === race ? session.shown.value : null)), [session, race])
}

/**
 * What follows from signals, as plain data: whoever asks is rendered again only when it has changed.
 *
 * @template T
 * @param {() => T} read @param {unknown[]} deps what else it depends on
 */
export function useDerived(read, deps) {
  const kept = useMemo(() => {
    let before = untracked(read)
    return computed(() => {
      const now = read()
      if (!isSame(now, before)) before = now
      return before
    })
  }, deps)
  return kept.value
}

/**
 * What a signal holds, once that has been painted elsewhere: for what may follow a moment later.
 *
 * @template T
 * @param {ReadonlySignal<T>} signal
 */
export function useAfterPaint(signal) {
  const [, follow] = useState(signal.peek())
  useEffect(() => {
    const later = createAfterPaint()
    const stop = effect(() => {
      const now = signal.value
      later.do(() => follow(() => now))
    })
    return () => {
      stop()
      later.drop()
    }
  }, [signal])
  return signal.peek()
}

/**
 * Something the person can ask for: whether it is on its way, and what went wrong with it.
 *
 * @template {any[]} A
 * @param {(...args: A) => Promise<unknown>} run
 */
export function useAction(run) {
  const [state, setState] = useState({ busy: false, error: /** @type {Refusal | null} */ (null) })
  return {
    ...state,
    clear: () => setState({ busy: false, error: null }),
    /** @param {A} args @returns {Promise<boolean>} whether it was done */
    async go(...args) {
      const pressed = /** @type {HTMLElement} */ (document.activeElement)
      const around = /** @type {HTMLElement | null} */ (pressed.closest('[tabindex]'))
      let error = null
      setState({ busy: true, error })
      try {
        await run(...args)
      } catch (caught) {
        if (!(caught instanceof Refusal)) console.error(caught)
        error = caught instanceof Refusal ? caught : new Refusal('bug')
      }
      setState({ busy: false, error })
      // A button that was disabled meanwhile has lost the focus, and gets it back once the page has been rendered again. If it
      // is there no more, what it was in gets it.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        around?.focus()
        pressed.focus()
      })
      return !error
    },
  }
}

/**
 * What the server answers to anybody at a path, looked up as long as somebody looks at the page.
 *
 * @template T
 * @param {string} path
 * @param {number} [every] ms between two looks; 0: only when the page is shown
 * @returns {T | null} null: not known yet
 */
export function usePolled(path, every = 0) {
  const [found, setFound] = useState(/** @type {T | null} */ (null))
  useEffect(() => {
    let alive = true
    async function look() {
      if (document.hidden) return
      try {
        const answer = await fetch(path)
        const latest = answer.ok ? await answer.json() : null
        if (alive && latest) setFound(latest)
      } catch {
        // The server is not there; the banner about the lost connection says so.
      }
    }
    look()
    const timer = every ? setInterval(look, every) : undefined
    document.addEventListener('visibilitychange', look)
    return () => {
      alive = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [path, every])
  return found
}

/** Sets the title of the browser tab while the component is shown. @param {string} text */
export function usePageTitle(text) {
  const title = `${text} · ${t('front.site')}`
  useEffect(() => {
    document.title = title
    return () => {
      document.title = t('front.site')
    }
  }, [title])
}
