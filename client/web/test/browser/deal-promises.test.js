import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createPromises } from '../../src/browser/deal-promises.js'
import { isPromised } from '../../src/record/promise.js'

function browser() {
  /** @type {string | null} */
  let kept = null
  return createPromises({
    recall: () => kept,
    remember: (_, value) => {
      kept = value
    },
  })
}

/** @param {string} commitment @param {number} number @param {number} [starts_at] @returns {any} */
const view = (commitment, number = 1, starts_at) => ({
  code: 'KQXWVD',
  settings: { deal: 'secret' },
  race: { number, commitment, starts_at, nonces: {} },
})

test('the first promise of a race is the one that counts', () => {
  const promises = browser()
  promises.hear(view('aa'))
  promises.hear(view('bb'))
  assert.equal(promises.of(view('bb')), 'aa')
})

test('each race has a promise of its own', () => {
  const promises = browser()
  promises.hear(view('aa', 1))
  promises.hear(view('bb', 2))
  assert.deepEqual([promises.of(view('', 1)), promises.of(view('', 2))], ['aa', 'bb'])
})

test('what is only said once the race has begun is no promise', () => {
  const promises = browser()
  promises.hear(view('aa', 1, 1000))
  assert.equal(promises.of(view('aa')), null)
})

test('the promise of a winnable deal comes with the countdown, and is none once numbers are known', () => {
  const winnable = (/** @type {any} */ race) => ({ ...view('aa'), settings: { deal: 'winnable-2' }, race })
  const of = (/** @type {number} */ number) => promises.of(winnable({ number }))
  const promises = browser()
  promises.hear(winnable({ number: 1, commitment: null, starts_at: null, nonces: {} }))
  assert.equal(of(1), null)
  promises.hear(winnable({ number: 1, commitment: 'aa', starts_at: 1000, nonces: {} }))
  promises.hear(winnable({ number: 1, commitment: 'bb', starts_at: 1000, nonces: {} }))
  assert.equal(of(1), 'aa')
  promises.hear(winnable({ number: 2, commitment: 'aa', starts_at: 1000, nonces: { 1: 'n' } }))
  promises.hear(winnable({ number: 2, commitment: 'aa', starts_at: 1000, nonces: {}, over_at: 2000 }))
  assert.equal(of(2), null)
})

test('a host who chooses a deal that can be won, or another one again, breaks no promise', () => {
  const promises = browser()
  const winnable = (/** @type {any} */ race) => ({ ...view('aa'), settings: { deal: 'winnable' }, race: { number: 1, ...race } })
  promises.hear(view('aa'))
  promises.hear(winnable({ commitment: null, nonces: {} }))
  promises.hear(winnable({ commitment: 'bb', starts_at: 1000, nonces: {} }))
  assert.deepEqual(promises.objections(winnable({}), 'bb', {}), [])
  assert.deepEqual(promises.objections(winnable({}), 'aa', {}), ['promise'])
  assert.deepEqual(promises.objections(view('aa'), 'aa', {}), [])
  assert.deepEqual(promises.objections(view('aa'), 'bb', {}), ['promise'])
})

test('nobody is told a number before a deal is promised', () => {
  const promises = browser()
  promises.draw(view('aa'), 'c', 'n')
  const counting = (/** @type {string | null} */ commitment) => ({
    ...view('aa'),
    race: { number: 1, commitment, commitments: { 2: 'c' } },
  })
  assert.equal(promises.toReveal(/** @type {any} */ (counting(null)), 2), null)
  assert.equal(promises.toReveal(/** @type {any} */ (counting('aa')), 2), 'n')
})

test('only the latest promises are kept', () => {
  const promises = browser()
  for (let number = 1; number <= 40; number++) promises.hear(view('aa', number))
  assert.equal(promises.of(view('', 1)), null)
  assert.equal(promises.of(view('', 40)), 'aa')
})

test('a number is told when the server waits for it, and once it is taken no more', () => {
  const promises = browser()
  promises.draw(view('aa'), 'c1', 'n1')
  promises.draw(view('aa'), 'c2', 'n2')
  const counting = (/** @type {string} */ commitment) => ({
    ...view('aa'),
    race: { ...view('aa').race, commitments: { 2: commitment } },
  })
  assert.equal(promises.toReveal(view('aa'), 2), null, 'nobody waits for it')
  assert.equal(promises.toReveal(counting('c2'), 1), null, 'it is that of another seat')
  assert.equal(promises.toReveal(counting('c3'), 2), null, 'it was drawn on another device')
  assert.equal(promises.toReveal(counting('c1'), 2), 'n1', 'the answer to a later one was a refusal, say')
  assert.equal(promises.toReveal(counting('c2'), 2), 'n2')
  promises.revealed(view('aa'), 2, 'n2')
  assert.equal(promises.toReveal(counting('c2'), 2), null)
})

test('a deal that is not as it was promised, or without the number that was taken, is objected to', () => {
  const promises = browser()
  promises.hear(view('aa'))
  assert.deepEqual(promises.objections(view(''), 'aa', {}), [])
  assert.deepEqual(promises.objections(view(''), 'bb', {}), ['promise'])
  promises.draw(view('aa'), 'c', 'n')
  assert.deepEqual(promises.objections(view(''), 'aa', {}), [], 'it was never taken')
  promises.revealed(view('aa'), 2, 'n')
  assert.deepEqual(promises.objections(view(''), 'aa', { 2: 'n' }), [])
  assert.deepEqual(promises.objections(view(''), 'aa', { 2: 'm' }), ['number'])
  assert.deepEqual(promises.objections(view(''), 'aa', { 1: 'n' }), ['missing'])
  assert.deepEqual(promises.objections(view('', 2), 'cc', {}), [], 'nobody was there')
})

// Written by tests/shared/make_records.py: a record with a promise that a server has signed.
const { record } = JSON.parse(readFileSync(new URL('../../../../shared/vectors/records.json', import.meta.url), 'utf8'))
  .records[0]

/** The view before the race of that record. @param {any} [promise] @returns {any} */
const before = (promise = record.promise) => ({
  code: record.code,
  settings: record.settings,
  race: { number: record.race, commitment: record.commitment, promise },
})

test('a record without the promise that was shown, or with another one, is objected to', () => {
  const promises = browser()
  promises.hear(before(null))
  promises.hear(before())
  promises.hear(before({ ...record.promise, at: 1 }))
  const against = (/** @type {any} */ promise) => promises.objections(before(), record.commitment, {}, promise)
  assert.deepEqual(against({ ...record.promise }), [])
  assert.deepEqual([against(null), against(undefined)], [['unpromised'], ['unpromised']])
  for (const [name, value] of [
    ['at', 1],
    ['key', 'f'.repeat(64)],
    ['signature', '0'.repeat(128)],
  ]) {
    assert.deepEqual(against({ ...record.promise, [name]: value }), ['signature'], String(name))
  }
  assert.deepEqual(browser().objections(before(), record.commitment, {}, null), [], 'nobody was there')
})

test('a promise that the server has not signed is objected to where signatures are checked', async () => {
  const isSigned = async (/** @type {Parameters<typeof isPromised>} */ ...of) => isPromised(...of)
  for (const wrong of [{ ...record.promise, at: 1 }, { ...record.promise, signature: '0'.repeat(128) }, { key: 1 }, {}]) {
    const promises = browser()
    promises.hear(before(wrong))
    assert.equal(await promises.isShownUnsigned(before(), isSigned), true, JSON.stringify(wrong))
  }
  const promises = browser()
  assert.equal(await promises.isShownUnsigned(before(), isSigned), false, 'nobody was there')
  promises.hear(before())
  assert.equal(await promises.isShownUnsigned(before(), isSigned), false)
})

test('what somebody else has put into the storage is forgotten', () => {
  for (const kept of ['{', '{}', '7', 'null', '[1]', '[[1]]', '[null]']) {
    const promises = createPromises({ recall: () => kept, remember() {} })
    assert.equal(promises.of(view('', 1)), null, kept)
  }
})
