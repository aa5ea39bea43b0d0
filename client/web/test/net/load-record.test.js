import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '@msgpack/msgpack'
import { loadRecord } from '../../src/net/load-record.js'
import { recordOf } from '../model/replay/records.js'

/** @param {BodyInit} body @param {number} [status] */
const answering =
  (body, status = 200) =>
  async () =>
    new Response(body, { status })
/** @param {string} code @param {string} message @param {Record<string, string | number>} [parameters] */
const said = (code, message, parameters = {}) => JSON.stringify({ error: { code, message, parameters } })

/** @param {() => Promise<Response>} get */
const load = (get) => loadRecord('KQXWVD', 2, get)

test('the record of a race is read as it is', async () => {
  const record = recordOf('short')
  /** @type {string[]} */
  const asked = []
  const read = await loadRecord('KQXWVD', 2, async (path) => {
    asked.push(path)
    return new Response(encode(record))
  })
  assert.deepEqual(read, record)
  assert.deepEqual(asked, ['/api/races/KQXWVD/2'])
})

test('what the server says is passed on', async () => {
  const parameters = { code: 'KQXWVD', race: 2, days: 7 }
  await assert.rejects(load(answering(said('unknown-race', 'No such race.', parameters), 404)), {
    code: 'unknown-race',
    message: 'Room KQXWVD has no race 2. Results are deleted after 7 days.',
  })
  await assert.rejects(load(answering(said('newer-code', 'In a newer way.'), 404)), { message: 'In a newer way.' })
  await assert.rejects(load(answering(said('not-over-yet', 'Still on.'), 409)), { code: 'not-over-yet' })
})

test('a server that does not answer, or not in words we know, is named as that', async () => {
  await assert.rejects(
    load(async () => Promise.reject(new TypeError('failed'))),
    { code: 'no-answer' },
  )
  await assert.rejects(load(answering('<html>Bad gateway</html>', 502)), {
    code: 'no-answer',
    parameters: { status: 502 },
  })
})

test('a record of another form is not shown', async () => {
  const record = structuredClone(recordOf('short'))
  record.racers[0].home = 200
  await assert.rejects(load(answering(encode(record))), { code: 'bad-record', message: /racers\.0\.home/ })
  await assert.rejects(load(answering(encode(recordOf('short')).slice(0, 90))), { code: 'cut-record' })
})
