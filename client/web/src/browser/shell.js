/** Lets the browser keep what the page needs to open without a network (`shell-worker.js`), once all else has come. */

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
