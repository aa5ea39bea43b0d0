import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '@msgpack/msgpack'
import { loadRecord } from '../../src/net/load-record.js'
import { Refusal } from '../../src/net/refusal.js'
import { bytesOf, vectors } from '../helpers.js'
import { recordOf } from '../model/replay/records.js'

/** @param {BodyInit} body @param {number} [status] */
const load = (body, status = 200) => loadRecord('KQXWVD', 2, async () => new Response(body, { status }))
/** @param {string} code @param {string} message @param {Record<string, string | number>} [parameters] */
const refusal = (code, message, parameters = {}) => JSON.stringify({ error: { code, message, parameters } })

test('the record of a race is loaded from its path', async () => {
  const record = recordOf('short')
  const loaded = await loadRecord('KQXWVD', 2, async (path) => {
    assert.equal(path, '/api/races/KQXWVD/2')
    return new Response(encode(record))
  })
  assert.deepEqual(loaded, record)
})

test('the caller gets the refusal of the server', async () => {
  const unknown = refusal('unknown-race', 'No such race.', { code: 'KQXWVD', race: 2, days: 7 })
  const message = 'Room KQXWVD has no race 2. Results are deleted after 7 days.'
  await assert.rejects(load(unknown, 404), { code: 'unknown-race', message })
  await assert.rejects(load(refusal('newer-code', 'In a newer way.'), 404), { message: 'In a newer way.' })
  await assert.rejects(load(refusal('not-over-yet', 'Still on.'), 409), { code: 'not-over-yet' })
})

test('the caller learns that the server did not answer, or not with a refusal', async () => {
  const failed = loadRecord('KQXWVD', 2, async () => Promise.reject(new TypeError('failed')))
  await assert.rejects(failed, { code: 'no-answer' })
  await assert.rejects(load('<html>Bad gateway</html>', 502), { code: 'no-answer', parameters: { status: 502 } })
})

test('a record of another form is refused', async () => {
  const record = structuredClone(recordOf('short'))
  record.racers[0].home = 200
  await assert.rejects(load(encode(record)), { code: 'bad-record', message: /racers\.0\.home/ })
  await assert.rejects(load(encode(recordOf('short')).slice(0, 90)), { code: 'cut-record' })
})

test('bytes that are no record are refused, and heads of long lists reserve no memory', async () => {
  for (const { bytes } of vectors('records.json').unreadable) {
    await assert.rejects(load(bytesOf(bytes)), (error) => error instanceof Refusal, bytes)
  }
})
