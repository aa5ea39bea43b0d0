import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reloadIfOutdated } from '../../src/browser/window.js'
import { storage } from '../helpers.js'

const page = (/** @type {string} */ entry) => `<script type="module" crossorigin src="${entry}"></script>`

/** How often a page with the script `old.js` reloads, if the server has these pages one after the other. @param {boolean} isRacing @param {(string | null)[]} pages null: no answer */
async function reloads(isRacing, ...pages) {
  let count = 0
  const script = { getAttribute: () => '/assets/old.js' }
  const document = { querySelector: () => script }
  const location = { pathname: '/', reload: () => (count += 1) }
  const tab = storage()
  for (const text of pages) {
    const get = async () => (text === null ? Promise.reject(new TypeError('no network')) : new Response(text))
    await reloadIfOutdated(/** @type {any} */ ({ document, location }), tab, () => isRacing, get)
  }
  return count
}

test('a page from before an update reloads once, but not in a race, and not without a server', async () => {
  const [old, later] = [page('/assets/old.js'), page('/assets/new.js')]
  assert.equal(await reloads(false, old, later, later), 1)
  assert.equal(await reloads(true, later, later), 0)
  assert.equal(await reloads(false, old, null, 'Bad gateway'), 0)
})
