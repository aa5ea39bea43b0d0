import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGhosts, isSameDeal } from '../../src/browser/ghost-choice.js'

function storage() {
  /** @type {Map<string, string>} */
  const kept = new Map()
  return {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
  }
}

const GHOST = { code: 'KQXWVD', race: 2, seat: 3 }

test('the link of a room says whose ghost runs there', () => {
  const ghosts = createGhosts(() => storage())
  assert.deepEqual(ghosts.at('BCDFGH', '#ghost=KQXWVD/2/3'), GHOST)
  assert.equal(ghosts.at('ZZZZZZ', ''), null)
})

test('the tab keeps it for that room, when the link has lost it', () => {
  const kept = storage()
  createGhosts(() => kept).at('BCDFGH', '#ghost=KQXWVD/2/3')
  const later = createGhosts(() => kept)
  assert.deepEqual(later.at('BCDFGH', ''), GHOST)
  assert.equal(later.at('JKLMNP', ''), null)
})

test('a browser that keeps nothing keeps it as long as the page', () => {
  const ghosts = createGhosts(() => {
    throw new Error('forbidden')
  })
  ghosts.at('BCDFGH', '#ghost=KQXWVD/2/3')
  assert.deepEqual(ghosts.at('BCDFGH', ''), GHOST)
})

test('a ghost runs on its own deal only', () => {
  assert.ok(isSameDeal({ code: 'KQXWVD', race: 2, practice: null, number: null }, 'KQXWVD/2'))
  assert.ok(isSameDeal({ code: 'BCDFGH', race: 1, practice: 'KQXWVD/2', number: null }, 'KQXWVD/2'))
  assert.ok(!isSameDeal({ code: 'KQXWVD', race: 1, practice: null, number: null }, 'KQXWVD/2'))
})

test('a ghost runs on an open deal of the same number, too', () => {
  const record = { code: 'KQXWVD', race: 2, practice: null, number: '32944' }
  assert.ok(isSameDeal(record, '32944'))
  assert.ok(!isSameDeal(record, '32945'))
})
