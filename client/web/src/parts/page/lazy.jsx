import { useEffect, useState } from 'preact/hooks'
import { t } from '../../words/translate.js'

/** The pause before the next attempt to load a part, in ms. */
const AGAIN = 5000

/** @param {{lost: boolean}} props */
const WaitForPage = ({ lost }) => (
  <main class="narrow plain" data-page="loading">
    <p role="status">{lost ? t('front.notLoaded') : t('front.loading')}</p>
  </main>
)

/** @param {{lost: boolean}} props */
const WaitForPart = ({ lost }) => <p role="status">{lost ? t('front.notLoaded') : t('front.loading')}</p>

/**
 * A part of a page that the browser loads when it is first shown.
 * @template {object} P @param {() => Promise<(props: P) => any>} load
 */
export const lazyPart = (load) => lazyPage(load, WaitForPart)

/** The same, but nothing is shown while it loads. @template {object} P @param {() => Promise<(props: P) => any>} load */
export const lazyExtra = (load) => lazyPage(load, () => null)

/** @param {{lost: boolean}} props */
const WaitForDialog = ({ lost }) =>
  lost && (
    <div class="banners" role="status">
      <p class="banner">{t('front.notLoaded')}</p>
    </div>
  )

/**
 * A dialog that the browser loads when it is first opened. The page stays as it is until then.
 * @template {object} P @param {() => Promise<(props: P) => any>} load
 */
export const lazyDialog = (load) => lazyPage(load, WaitForDialog)

/**
 * A page that is loaded when it is first shown, so that the front page comes quickly, or before that when it is known that it
 * will be (`preload`).
 * @template {object} P @param {() => Promise<(props: P) => any>} load
 * @param {(props: {lost: boolean}) => any} [Wait] shown while it loads
 * @returns {((props: P) => any) & {preload: () => void}}
 */
export function lazyPage(load, Wait = WaitForPage) {
  /** @type {((props: P) => any) | null} */
  let Page = null
  const bring = async () => {
    Page ??= await load()
  }
  /** @param {P} props */
  function Later(props) {
    const [state, setState] = useState(Page ? 'here' : 'coming')
    useEffect(() => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let again
      const bringHere = () =>
        bring().then(
          () => setState('here'),
          () => {
            setState('lost')
            again = setTimeout(bringHere, AGAIN)
          },
        )
      bringHere()
      return () => clearTimeout(again)
    }, [])
    if (Page) return <Page {...props} />
    return <Wait lost={state === 'lost'} />
  }
  // After a failure, the component tries again when it is shown.
  return Object.assign(Later, { preload: () => void bring().catch(() => {}) })
}
