/** What every page may use, handed down instead of imported, so that a page can be shown with anything behind it. */
import { computed, effect } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { phaseOf } from '../net/view.js'
import { createAfterPaint } from '../table/painted.js'

/**
 * @typedef {object} Site
 * @property {import('../net/session.js').Session} session
 * @property {import('./prefs.js').Prefs} prefs
 * @property {import('./route.js').Route} route
 * @property {import('./seats.js').Seats} seats
 * @property {import('./mutes.js').Mutes} mutes
 * @property {import('./promises.js').Promises} promises
 * @property {import('../net/asking.js').Get} get
 * @property {import('./ghosts.js').Ghosts} ghosts
 */

export const SiteContext = createContext(/** @type {Site} */ (/** @type {unknown} */ (null)))

export const useSite = () => useContext(SiteContext)

/** The server's time, looked at every so many ms. @param {number} every */
export function useNow(every) {
  const { clock } = useSite().session
  const [now, setNow] = useState(clock.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), every)
    return () => clearInterval(timer)
  }, [clock, every])
  return now
}

/**
 * The phase of a room, which changes at the start of a race without a word from the server.
 *
 * @param {import('../net/view.js').View} view
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
export function useShown(race) {
  const { session } = useSite()
  return useMemo(() => computed(() => (session.shown.value?.race === race ? session.shown.value : null)), [session, race])
}

/**
 * What a signal holds, once that has been painted elsewhere: for what may follow a moment later.
 *
 * @template T
 * @param {import('@preact/signals').ReadonlySignal<T>} signal
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
  const [state, setState] = useState({
    busy: false,
    error: /** @type {{code: string, message: string} | null} */ (null),
  })
  return {
    ...state,
    clear: () => setState({ busy: false, error: null }),
    /** @param {A} args @returns {Promise<boolean>} whether it was done */
    async go(...args) {
      setState({ busy: true, error: null })
      try {
        await run(...args)
        setState({ busy: false, error: null })
        return true
      } catch (error) {
        const { code = 'bug', message } = /** @type {{code?: string, message: string}} */ (error)
        setState({ busy: false, error: { code, message } })
        return false
      }
    },
  }
}
