import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGet } from '../../src/net/fetch-as-guest.js'

/** The last status, and the path and guest token of each request. @param {string | null} token @param {number[]} statuses */
async function asked(token, ...statuses) {
  /** @type {[string, string | undefined][]} */
  const heard = []
  const get = createGet({ get: () => token }, async (path, init) => {
    heard.push([path, /** @type {Record<string, string> | undefined} */ (init?.headers)?.Authorization])
    return new Response(null, { status: statuses[heard.length - 1] })
  })
  return { status: (await get('/api/races/KQXWVD/1')).status, heard }
}

const PATH = '/api/races/KQXWVD/1'

test('a file is asked for by the guest that one is', async () => {
  assert.deepEqual(await asked('pass', 200), { status: 200, heard: [[PATH, 'Bearer pass']] })
})

test('whoever is nobody yet asks all the same', async () => {
  assert.deepEqual(await asked(null, 404), { status: 404, heard: [[PATH, undefined]] })
})

test('an old pass keeps nobody from what is for everybody', async () => {
  assert.deepEqual(await asked('old', 401, 200), {
    status: 200,
    heard: [
      [PATH, 'Bearer old'],
      [PATH, undefined],
    ],
  })
})
