/** Components that the browser loads, together with their words, when they are first shown. */
import { useEffect, useState } from 'preact/hooks'
import { bringWords, t } from '../../words/translate.js'
import { useSite } from '../hooks.js'

/** @import { Group } from '../../words/compiled/messages.d.ts' */

const AGAIN = 5000 // the pause before the next attempt to load a component, in ms

/** @param {boolean} lost whether the last attempt failed */
const status = (lost) => <p role="status">{t(lost ? 'front.notLoaded' : 'front.loading')}</p>

/** @param {(lost: boolean) => any} placeholder renders until the component has loaded */
function lazy(placeholder) {
  /**
   * @template {object} P @param {Group[]} groups of the words @param {() => Promise<(props: P) => any>} load
   * @returns {((props: P) => any) & {preload: () => void}} `preload` loads it before it is shown
   */
  return (groups, load) => {
    /** @type {((props: P) => any) | null} */
    let Loaded = null
    const bring = async () => {
      Loaded ??= (await Promise.all([load(), bringWords(...groups)]))[0]
    }
    /** @param {P} props */
    function Later(props) {
      const { lost } = useSite()
      const [state, setState] = useState(Loaded ? 'here' : 'coming')
      useEffect(() => {
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        let again
        const fail = () => {
          setState('lost')
          lost.value += 1
          again = setTimeout(bringHere, AGAIN)
        }
        const bringHere = () => bring().then(() => setState('here'), fail)
        bringHere()
        return () => clearTimeout(again)
      }, [])
      return Loaded ? <Loaded {...props} /> : placeholder(state === 'lost')
    }
    // After a failure, the component tries again when it is shown.
    return Object.assign(Later, { preload: () => void bring().catch(() => {}) })
  }
}

export const lazyPart = lazy(status)
/** Nothing is shown while it loads. */
export const lazyExtra = lazy(() => null)
/** The page stays as it is while it loads. */
export const lazyDialog = lazy(
  (lost) =>
    lost && (
      <div class="banners" role="status">
        <p class="banner">{t('front.notLoaded')}</p>
      </div>
    ),
)
export const lazyPage = lazy((lost) => (
  <main class="narrow plain" data-page="loading">
    {status(lost)}
  </main>
))
