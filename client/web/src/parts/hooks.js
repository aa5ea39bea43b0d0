/** The services that pages use, passed down by a context instead of imports, and hooks on them. */
import { computed, effect, untracked } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createAfterPaint } from '../browser/after-paint.js'
import { dealtIn } from '../model/game-texts.js'
import { phaseOf, standings } from '../model/race/room-view.js'
import { Refusal } from '../net/refusal.js'
import { t } from '../words/translate.js'

/** @import { Promises } from '../browser/deal-promises.js' */
/** @import { Mutes, Prefs } from '../browser/preferences.js' */
/** @import { Visit } from '../browser/room-visit.js' */
/** @import { Route } from '../browser/route.js' */
/** @import { Seats } from '../browser/seats.js' */
/** @import { Sounds } from '../browser/sounds.js' */
/** @import { Command, FieldsOf, View } from '../protocol/protocol.d.ts' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { Get } from '../net/fetch-as-guest.js' */
/** @import { Session } from '../net/session.js' */
/** @import { ReadonlySignal, Signal } from '@preact/signals' */

/**
 * @typedef {object} Site
 * @property {Session} session @property {Prefs} prefs @property {Route} route @property {Visit} visit @property {Seats} seats
 * @property {Mutes} mutes @property {Promises} promises @property {Get} get
 * @property {ReadonlySignal<boolean>} online whether the browser has a network
 * @property {Sounds} sounds
 * @property {Signal<number>} lost how often a part of the page could not be loaded
 * @property {(tag: string) => Promise<void>} speak changes the language, also for the next visit
 * @property {Signal<Lesson | null>} lesson the lesson that covers the page
 */

/**
 * @typedef {object} Lesson
 * @property {string} game its key
 * @property {'front.close' | 'race.room.backToIt'} [done] the label of its last button, unless it only closes the lesson
 */

export const SiteContext = createContext(/** @type {Site} */ (/** @type {unknown} */ (null)))

export const useSite = () => useContext(SiteContext)

/** Whether two pieces of plain data are equal. @param {unknown} one @param {unknown} other */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

/** An event handler that replaces what the browser would do, for a form or a link. @param {() => unknown} run */
export const instead = (run) => (/** @type {Event} */ event) => {
  event.preventDefault()
  run()
}

/** Runs a function once, some time after the last change of `deps`. @param {() => void} run @param {number} ms @param {unknown[]} deps */
export function useLater(run, ms, deps) {
  useEffect(() => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }, deps)
}

/** What a function loads; null before and after a failure. @template T @param {() => Promise<T>} load @param {unknown[]} deps */
export function useLoaded(load, deps) {
  const [found, setFound] = useState(/** @type {T | null} */ (null))
  useEffect(() => {
    let alive = true
    setFound(null)
    const fail = () => {}
    load().then((value) => alive && setFound(() => value), fail)
    return () => (alive = false)
  }, deps)
  return found
}

/**
 * A value computed from the server's time every `every` ms. Re-renders only when the value is deeply different.
 * @template [T=number] @param {number} every @param {(now: number) => T} read gives plain data
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

/** The phase of a room. A race starts by the clock, without a message from the server. @param {View} view */
export function usePhase(view) {
  const { clock } = useSite().session
  const [, look] = useState(0)
  const phase = phaseOf(view, clock.now())
  const starts = view.race.starts_at ?? 0
  useEffect(() => {
    if (phase !== 'countdown') return
    /** @type {ReturnType<typeof setTimeout>} */
    let timer
    // The clock may be corrected during the countdown, so check it several times.
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
 * A signal of the session, null while it is about another race.
 * @template {'shown' | 'gallery' | 'hidden' | 'progress'} K @param {K} name @param {number} race
 * @returns {ReadonlySignal<Session[K]['value'] | null>}
 */
export function useOfRace(name, race) {
  const { [name]: from } = useSite().session
  return useMemo(() => computed(() => (from.value?.race === race ? from.value : null)), [from, race])
}

/**
 * The lanes of a race, as a signal, so that a move renders only its users, and not the whole page.
 * @param {number} race @param {(view: View) => Lane[]} [toCome] the lanes before the race
 */
export function useLaneSignal(race, toCome = () => []) {
  const { view } = useSite().session
  const progress = useOfRace('progress', race)
  /** @param {View} now */
  const lanesOf = (now) =>
    now.race.starts_at == null ? toCome(now) : standings(now, progress.value?.rows ?? {}, dealtIn(now.settings.game))
  return useMemo(() => computed(() => (view.value ? lanesOf(view.value) : [])), [view, progress])
}

/**
 * Like `computed`, but re-renders only when the value is deeply different.
 * @template T @param {() => T} read @param {unknown[]} deps its other dependencies
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

/** The value of a signal, re-rendered after the next paint. @template T @param {ReadonlySignal<T>} signal */
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

/** A request of the player, with its state. @template {any[]} A @param {(...args: A) => Promise<unknown>} run */
export function useAction(run) {
  const [state, setState] = useState({ busy: false, error: /** @type {Refusal | null} */ (null) })

  /** @param {A} args @returns {Promise<boolean>} whether it succeeded */
  async function go(...args) {
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
    // A disabled button has lost the focus and gets it back after the next render. If the button is gone, its container
    // gets the focus.
    setTimeout(() => {
      if (document.activeElement !== document.body) return
      around?.focus()
      pressed.focus()
    })
    return !error
  }

  return {
    ...state,
    go,
    /** The properties of a button that starts it. @param {A} args */
    button: (...args) => ({ disabled: state.busy, onClick: () => go(...args) }),
  }
}

/** A command of the protocol, as a request of the player. @template {Command[0]} T @param {T} tag */
export function useCommand(tag) {
  const { session } = useSite()
  return useAction((/** @type {FieldsOf<T>} */ ...fields) => session.ask(tag, ...fields))
}

/**
 * Fetches public JSON and repeats that while the page is visible.
 * @template T @param {string} path
 * @param {number} [every] ms between two requests; 0: only when the page becomes visible
 * @returns {T | null} null before the first answer
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
        // Without a server, the banner about the connection is shown.
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
    return () => (document.title = t('front.site'))
  }, [title])
}
