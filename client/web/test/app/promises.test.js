import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPromises } from '../../src/app/promises.js'

function browser() {
  /** @type {string | null} */
  let kept = null
  return createPromises({ recall: () => kept, remember: (_, value) => void (kept = value) })
}

/** @param {string} commitment @param {number} number @param {number} [starts_at] @returns {any} */
const view = (commitment, number = 1, starts_at) => ({ code: 'KQXWVD', race: { number, commitment, starts_at } })

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

test('only the latest promises are kept', () => {
  const promises = browser()
  for (let number = 1; number <= 30; number++) promises.hear(view('aa', number))
  assert.equal(promises.of(view('', 1)), null)
  assert.equal(promises.of(view('', 30)), 'aa')
})
