/**
 * The service worker, served as `/sw.js`. It keeps the files of one release with which the page opens without a network,
 * and nothing else: no room, no record and no other answer of the server.
 *
 * A page always comes from the server where there is one, so a new release is there with the next visit. The build fills
 * in which files there are (vite.config.js).
 */

/** @type {any} */
const worker = self
/** Whose words are kept: the address says it. */
const LANGUAGE = location.search.slice(1) || 'en'
const RELEASE = `shell-__RELEASE__-${LANGUAGE}`
/** Under `assets/`, where names say what is in a file. @type {string[]} */
const ALL_FILES = ['__FILES__']
/** Without the words of other languages. */
const FILES = ALL_FILES.filter((name) => !name.startsWith('/assets/words-') || name.includes(`-${LANGUAGE}-`))
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

/** From now on only this release is kept. */
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
  else if (request.mode === 'navigate' && /^\/(r\/.*|practice)?$/.test(pathname)) event.respondWith(page(request, pathname))
})

/** @param {Request} request */
const file = async (request) => (await caches.match(request)) ?? fetch(request)

/** Any page, without the network: its script looks at the address. @param {Request} request @param {string} path */
async function page(request, path) {
  const kept = () => caches.match(path === '/' ? '/' : '/practice')
  try {
    const answer = await fetch(request)
    // A balancer answers for servers that are not there.
    return answer.status >= 502 && answer.status <= 504 ? ((await kept()) ?? answer) : answer
  } catch {
    return (await kept()) ?? Response.error()
  }
}
