import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGet } from '../../src/net/fetch-as-guest.js'

/** The last status, and the guest token of each request. @param {string | null} token @param {number[]} statuses */
async function asked(token, ...statuses) {
  /** @type {(string | undefined)[]} */
  const tokens = []
  const get = createGet({ get: () => token }, async (path, init) => {
    assert.equal(path, '/api/races/KQXWVD/1')
    tokens.push(/** @type {Record<string, string> | undefined} */ (init?.headers)?.Authorization)
    return new Response(null, { status: statuses[tokens.length - 1] })
  })
  return [(await get('/api/races/KQXWVD/1')).status, ...tokens]
}

test('a request has the guest token, if there is one and the server accepts it', async () => {
  assert.deepEqual(await asked('token', 200), [200, 'Bearer token'])
  assert.deepEqual(await asked(null, 404), [404, undefined])
  assert.deepEqual(await asked('old', 401, 200), [200, 'Bearer old', undefined], 'public files need no valid token')
})
