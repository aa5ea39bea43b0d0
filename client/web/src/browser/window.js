/** Whether this machine has a network, as far as the browser knows. */
import { signal } from '@preact/signals'

/** @import { ReadonlySignal } from '@preact/signals' */

/** @param {Window} window @returns {ReadonlySignal<boolean>} */
export function createNetwork(window) {
  const online = signal(window.navigator.onLine)
  for (const event of ['online', 'offline']) window.addEventListener(event, () => (online.value = event === 'online'))
  return online
}

// Lets the browser keep what the page needs to open without a network (`shell-worker.js`), once all else has come.

/** @param {Window & typeof globalThis} window @param {string} language whose words are kept */
export function keepShell({ navigator, document, addEventListener }, language) {
  // Only a page that came over TLS, or from this machine, has such workers.
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  // What cannot be kept is as it is without: the page needs a network.
  const register = () => void serviceWorker.register(`/sw.js?${language}`, { updateViaCache: 'none' }).catch(() => {})
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/**
 * The focus goes to the heading of each new page, so that whoever listens hears where they are, and whoever looks sees the top
 * of it. Not to that of the first page, where the browser begins at the top anyway, and not where a page puts the focus itself.
 *
 * @param {HTMLElement} root pages are its children
 * @param {{scrollTo(x: number, y: number): void}} window
 */
export function focusHeadings(root, window) {
  let isFirst = !root.querySelector('h1') // the front page is drawn before any script runs
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
