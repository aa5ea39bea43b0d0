import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '@msgpack/msgpack'
import { RECORD_SIZE } from '../../src/protocol/constants.js'
import { remarks, verify } from '../../src/record/proof.js'
import { read } from '../../src/record/race-record.js'
import { reasonText } from '../../src/record/reasons.js'
import { bytesOf, joined, pluck, vectors } from '../helpers.js'
import { recordOf } from '../model/replay/records.js'

// Written by tests/shared/make_records.py, which explains each part. Python tests expect the same findings.
const { keys, records, broken, chains } = vectors('records.json')

const CHECKS = ['format', 'signature', 'commitment', 'deal', 'winnable', 'day', 'moves', 'times', 'results', 'ranking']

/** @param {any} record @param {[string, any][]} changes */
function changed(record, changes) {
  const copy = structuredClone(record)
  for (const [path, value] of changes) {
    const way = path.split('.')
    const last = /** @type {string} */ (way.pop())
    const place = way.reduce((one, step) => one[step], copy)
    if (last === '-') place.pop()
    else if (last === '+') place.push(value)
    else if (last.endsWith('-')) delete place[last.slice(0, -1)]
    else place[last] = value
  }
  return copy
}

for (const { name, record, file, checks } of records) {
  test(`a true record passes every check: ${name}`, () => {
    assert.deepEqual(verify(record, keys.server), checks)
    const expected = CHECKS.filter((check) => !['winnable', 'day'].includes(check) || record[check])
    assert.deepEqual(pluck(checks, 'check'), expected)
    assert.ok(checks.every((/** @type {any} */ check) => check.ok))
    assert.deepEqual(read(encode(record)), record)
    if (file) assert.deepEqual(read(bytesOf(file)), record)
  })
}

test('each fault of a record is found as in Python, with the same codes', () => {
  assert.ok(broken.length > 200)
  for (const { of, change, keys: expected, fail } of broken) {
    const found = verify(changed(recordOf(of), change), expected).filter((check) => !check.ok)
    assert.deepEqual(found, fail, `${of}: ${JSON.stringify(change)}`)
  }
})

test('a day is of the chain that the server has published, or the record is wrong', () => {
  for (const { links, fail } of chains) {
    const found = verify(recordOf('day'), keys.server, links).filter((check) => !check.ok)
    assert.deepEqual(found, fail)
  }
})

test('remarks are as in Python, and any value can be verified', () => {
  for (const { record, remarks: expected } of records) assert.deepEqual(remarks(record), expected)
  assert.throws(() => read(new Uint8Array(RECORD_SIZE + 1)), { code: 'huge-record' })
  for (const value of [null, 1, 'record', [], {}, { racers: 1 }, undefined]) {
    assert.equal(joined(verify(value).map((check) => [check.check, check.ok])), 'format,false')
  }
})

test('a key that is no point of the curve has a bad signature', () => {
  const key = 'f'.repeat(64)
  const checks = verify({ ...recordOf('short'), key }, { [key]: null, [keys.server]: null })
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [{ check: 'signature', ok: false, code: 'bad-signature' }],
  )
})

test('the page has a sentence for each finding of the vectors', () => {
  /** @type {any[]} */
  const found = [
    ...records.flatMap((/** @type {any} */ { checks, remarks }) => [
      ...checks,
      ...remarks.map((/** @type {any} */ remark) => ({ ...remark, check: 'remarks' })),
    ]),
    ...broken.flatMap((/** @type {any} */ { fail }) => fail),
  ]
  for (const one of [...found, ...verify(recordOf('short'))]) {
    const text = reasonText(one.check, one)
    assert.match(text, / .*[.]$/, `${one.check}/${one.code}`)
    assert.doesNotMatch(text, /undefined|\[object/, `${one.check}/${one.code}: ${text}`)
  }
})
