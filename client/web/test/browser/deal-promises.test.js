import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPromises } from '../../src/browser/deal-promises.js'
import { isPromised } from '../../src/record/promise.js'
import { storage, vectors } from '../helpers.js'

const browser = () => createPromises(storage())

/** @param {string | null} commitment @param {object} [race] @param {string} [deal] @returns {any} */
const view = (commitment, race, deal = 'secret') => ({
  code: 'KQXWVD',
  settings: { deal },
  race: { number: 1, commitment, nonces: {}, ...race },
})

test('the first promise before the start counts, and the latest are kept', () => {
  const promises = browser()
  promises.hear(view('aa'))
  promises.hear(view('bb'))
  promises.hear(view('cc', { number: 2 }))
  promises.hear(view('dd', { number: 3, starts_at: 1000 }))
  const known = [1, 2, 3].map((number) => promises.of(view('', { number })))
  assert.deepEqual(known, ['aa', 'cc', null])
  for (let number = 1; number <= 40; number++) promises.hear(view('aa', { number }))
  assert.deepEqual([promises.of(view('', { number: 1 })), promises.of(view('', { number: 40 }))], [null, 'aa'])
})

test('a winnable deal is promised in the countdown, before any racer reveals a number', () => {
  const promises = browser()
  const hear = (/** @type {string | null} */ commitment, /** @type {object} */ race) =>
    promises.hear(view(commitment, { starts_at: 1000, ...race }, 'winnable-2'))
  const of = (/** @type {number} */ number) => promises.of(view('', { number }, 'winnable-2'))
  hear(null, { starts_at: null })
  assert.equal(of(1), null)
  hear('aa', {})
  hear('bb', {})
  assert.equal(of(1), 'aa')
  hear('aa', { number: 2, nonces: { 1: 'n' } })
  hear('aa', { number: 2, over_at: 2000 })
  assert.equal(of(2), null)
})

test('a host who changes to a winnable deal, or back, breaks no promise', () => {
  const promises = browser()
  const winnable = (/** @type {string | null} */ commitment, race = {}) => view(commitment, race, 'winnable')
  promises.hear(view('aa'))
  promises.hear(winnable(null))
  promises.hear(winnable('bb', { starts_at: 1000 }))
  assert.deepEqual(promises.objections(winnable(''), 'bb', {}), [])
  assert.deepEqual(promises.objections(winnable(''), 'aa', {}), ['promise'])
  assert.deepEqual(promises.objections(view('aa'), 'aa', {}), [])
  assert.deepEqual(promises.objections(view('aa'), 'bb', {}), ['promise'])
})

test('a number is revealed when the server waits for it, after its promise, and once', () => {
  const promises = browser()
  promises.draw(view('aa'), 'c1', 'n1')
  promises.draw(view('aa'), 'c2', 'n2')
  const reveal = (/** @type {string} */ commitment, seat = 2, /** @type {string | null} */ promise = 'aa') =>
    promises.toReveal(view(promise, { commitments: { 2: commitment } }), seat)
  assert.equal(promises.toReveal(view('aa'), 2), null, 'the server does not wait')
  assert.equal(reveal('c2', 2, null), null, 'no deal is promised')
  assert.equal(reveal('c2', 1), null, 'another seat')
  assert.equal(reveal('c3'), null, 'drawn on another device')
  assert.deepEqual([reveal('c1'), reveal('c2')], ['n1', 'n2'])
  promises.revealed(view('aa'), 2, 'n2')
  assert.equal(reveal('c2'), null)
})

test('a deal against its promise, or without the revealed number, gets an objection', () => {
  const promises = browser()
  promises.hear(view('aa'))
  assert.deepEqual(promises.objections(view(''), 'aa', {}), [])
  assert.deepEqual(promises.objections(view(''), 'bb', {}), ['promise'])
  promises.draw(view('aa'), 'c', 'n')
  assert.deepEqual(promises.objections(view(''), 'aa', {}), [], 'it was never accepted')
  promises.revealed(view('aa'), 2, 'n')
  assert.deepEqual(promises.objections(view(''), 'aa', { 2: 'n' }), [])
  assert.deepEqual(promises.objections(view(''), 'aa', { 2: 'm' }), ['number'])
  assert.deepEqual(promises.objections(view(''), 'aa', { 1: 'n' }), ['missing'])
  assert.deepEqual(promises.objections(view('', { number: 2 }), 'cc', {}), [], 'this browser did not hear a promise')
})

// Written by tests/shared/make_records.py: a record with a promise that a server has signed.
const { record } = vectors('records.json').records[0]

/** The view before the race of that record. @param {any} [promise] @returns {any} */
const before = (promise = record.promise) => ({
  code: record.code,
  settings: record.settings,
  race: { number: record.race, commitment: record.commitment, promise },
})

test('a record without the shown promise, or with another one, gets an objection', () => {
  const promises = browser()
  promises.hear(before(null))
  promises.hear(before())
  promises.hear(before({ ...record.promise, at: 1 }))
  const against = (/** @type {any} */ promise) => promises.objections(before(), record.commitment, {}, promise)
  assert.deepEqual(against({ ...record.promise }), [])
  assert.deepEqual([against(null), against(undefined)], [['unpromised'], ['unpromised']])
  for (const other of [{ at: 1 }, { key: 'f'.repeat(64) }, { signature: '0'.repeat(128) }]) {
    assert.deepEqual(against({ ...record.promise, ...other }), ['signature'])
  }
  assert.deepEqual(browser().objections(before(), record.commitment, {}, null), [], 'this browser did not hear it')
})

test('a promise without the signature of the server is found out', () => {
  for (const wrong of [{ ...record.promise, at: 1 }, { ...record.promise, signature: '0'.repeat(128) }, { key: 1 }, {}]) {
    const promises = browser()
    promises.hear(before(wrong))
    assert.equal(isPromised(...(promises.shown(before()) ?? assert.fail())), false, JSON.stringify(wrong))
  }
  const promises = browser()
  assert.equal(promises.shown(before()), null, 'this browser did not hear it')
  promises.hear(before())
  assert.equal(isPromised(...(promises.shown(before()) ?? assert.fail())), true)
})

test('foreign data in the storage is ignored', () => {
  for (const kept of ['{', '{}', '7', 'null', '[1]', '[[1]]', '[null]']) {
    const promises = createPromises({ recall: () => kept, remember() {} })
    assert.equal(promises.of(view('')), null, kept)
  }
})
