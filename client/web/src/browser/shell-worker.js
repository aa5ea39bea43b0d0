/**
 * The service worker, served as `/sw.js`. It caches the files of one release, so that the page opens without a network. It
 * caches no room, no record and no other answer of the server.
 *
 * With a network, a page always loads from the server, so the next visit gets a new release. The build fills in the list of
 * files (vite.config.js).
 */

/** @type {any} */
const worker = self
/** The language of the cached texts, from the worker's URL. */
const LANGUAGE = location.search.slice(1) || 'en'
const RELEASE = `shell-__RELEASE__-${LANGUAGE}`
/** The files with the texts of each language. @type {Record<string, string[]>} */
const TEXTS = { __TEXTS__: [] }
/** Files under `assets/`, with a content hash in each name. @type {string[]} */
const FILES = ['__FILES__', ...(TEXTS[LANGUAGE] ?? TEXTS.en)]
const PAGES = ['/', '/practice']

worker.addEventListener('install', (/** @type {any} */ event) => {
  worker.skipWaiting()
  event.waitUntil(keep())
})

async function keep() {
  const cache = await caches.open(RELEASE)
  await cache.addAll([...FILES, ...PAGES.map((page) => new Request(page, { cache: 'reload' }))])
}

worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(begin()))

/** Delete the caches of other releases. */
async function begin() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== RELEASE).map((name) => caches.delete(name)))
  await worker.clients.claim()
}

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET') return
  if (FILES.includes(pathname)) event.respondWith(file(request))
  else if (request.mode === 'navigate' && /^\/(r\/.*|practice|me)?$/.test(pathname)) event.respondWith(page(request, pathname))
})

/** @param {Request} request */
const file = async (request) => (await caches.match(request)) ?? fetch(request)

/** Without a network: a cached page for any URL, as its script reads the URL. @param {Request} request @param {string} path */
async function page(request, path) {
  const kept = () => caches.match(path === '/' ? '/' : '/practice')
  try {
    const answer = await fetch(request)
    // A load balancer answers like this when no server is running.
    return answer.status >= 502 && answer.status <= 504 ? ((await kept()) ?? answer) : answer
  } catch {
    return (await kept()) ?? Response.error()
  }
}
