/** Whether the browser thinks that it has a network. */
import { signal } from '@preact/signals'
import { options } from 'preact'

/** @import { ReadonlySignal } from '@preact/signals' */
/** @import { Store } from './storage.js' */

/** @param {Window} window @returns {ReadonlySignal<boolean>} */
export function createNetwork(window) {
  const online = signal(window.navigator.onLine)
  for (const event of ['online', 'offline']) window.addEventListener(event, () => (online.value = event === 'online'))
  return online
}

// After the page has loaded, let the browser cache the files for a start without a network (`shell-worker.js`).

/** @param {Window & typeof globalThis} window @param {string} language of the cached texts */
export function keepShell({ navigator, document, addEventListener }, language) {
  // Only pages over TLS or from localhost have service workers.
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  // If this fails, the page needs a network.
  const register = () => void serviceWorker.register(`/sw.js?${language}`, { updateViaCache: 'none' }).catch(() => {})
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/**
 * Reloads a page from before an update of the server, whose files are gone. It does so once, and never during a race.
 * @param {Pick<Window, 'document' | 'location'>} window @param {Pick<Store, 'recall' | 'remember'>} tab
 * @param {() => boolean} isRacing @param {(path: string, init: RequestInit) => Promise<Response>} fetch
 */
export async function reloadIfOutdated({ document, location }, { recall, remember }, isRacing, fetch) {
  const own = document.querySelector('script[type=module]')?.getAttribute('src') ?? ''
  const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null)
  const page = (answer?.ok && (await answer.text())) || ''
  if (!page.includes('type="module"') || page.includes(own) || isRacing() || recall('outdated') === own) return
  remember('outdated', own)
  location.reload()
}

/**
 * Focuses the heading of each new page, so that screen readers read it and the page starts at its top. It skips the first page,
 * where the browser starts at the top, and pages that set the focus themselves.
 * @param {HTMLElement} root the pages are its children
 * @param {{scrollTo(x: number, y: number): void}} window
 */
export function focusHeadings(root, window) {
  let isFirst = !root.querySelector('h1') // the HTML already contains the front page
  const observer = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    const heading = added.map((node) => node instanceof Element && node.querySelector('h1')).find(Boolean)
    if (!(heading instanceof HTMLElement)) return
    if (isFirst) {
      isFirst = false
      return
    }
    if (added.some((node) => node.contains(document.activeElement))) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  })
  observer.observe(root, { childList: true })
  return () => observer.disconnect()
}

/** Names stay as they are when the browser translates the page: each is in a `<bdi>`. */
export function keepNames() {
  const before = options.vnode
  options.vnode = (vnode) => {
    if (vnode.type === 'bdi') Object.assign(vnode.props, { translate: false })
    before?.(vnode)
  }
}

/** Loads the module for a translated page when a translation appears. @param {HTMLElement} root */
export function awaitTranslation(root) {
  /** @type {MutationRecord[]} */
  const changes = []
  const observer = new MutationObserver((more) => {
    if (!changes.length) {
      if (!more.some(({ addedNodes }) => addedNodes[0]?.nodeName === 'FONT')) return
      import('./translated-texts.js').then(({ keepTexts }) => {
        observer.disconnect()
        keepTexts(root, changes)
      })
    }
    changes.push(...more)
  })
  observer.observe(root, { childList: true, subtree: true })
}
