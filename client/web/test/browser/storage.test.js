import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGhosts, isSameDeal } from '../../src/browser/ghost-choice.js'
import { createPrefs } from '../../src/browser/preferences.js'
import { isRead, markRead } from '../../src/browser/read-news.js'
import { createSeats } from '../../src/browser/seats.js'
import { createStore } from '../../src/browser/storage.js'
import { storage } from '../helpers.js'

test('a value is kept in storage, or as long as the page if that is blocked', () => {
  /** @type {Map<string, string>} */
  const kept = new Map()
  const store = createStore(() => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }))
  store.remember('a', '1')
  assert.deepEqual([...kept, store.recall('a')], [['forty-thieves.a', '1'], '1'])
  store.remember('a', null)
  assert.deepEqual([kept.size, store.recall('a')], [0, null])
  const blocked = createStore(() => {
    throw new Error('SecurityError')
  })
  blocked.remember('a', '1')
  assert.equal(blocked.recall('a'), '1')
  blocked.remember('a', null)
  assert.equal(blocked.recall('a'), null)
})

test('a ghost has a room and its own deal', () => {
  const tab = storage()
  const ghost = { code: 'KQXWVD', race: 2, seat: 3 }
  assert.deepEqual(createGhosts(tab).at('BCDFGH', '#ghost=KQXWVD/2/3'), ghost)
  assert.deepEqual(createGhosts(tab).at('BCDFGH', ''), ghost)
  assert.equal(createGhosts(tab).at('ZZZZZZ', ''), null)
  const record = { code: 'KQXWVD', race: 2, practice: null, number: '32944' }
  for (const deal of ['KQXWVD/2', '32944']) assert.ok(isSameDeal(record, deal), deal)
  for (const deal of ['KQXWVD/1', '32945']) assert.ok(!isSameDeal(record, deal), deal)
  assert.ok(isSameDeal({ code: 'BCDFGH', race: 1, practice: 'KQXWVD/2', number: null }, 'KQXWVD/2'))
})

test('preferences are kept, except those with their default value', () => {
  const store = storage()
  const prefs = createPrefs(store)
  assert.deepEqual([prefs.sound.value, prefs.safeHome.value, prefs.game.value, store.kept.size], [true, false, 'lucas', 0])
  prefs.sound.value = false
  prefs.safeHome.value = true
  prefs.game.value = 'maria'
  const later = createPrefs(store)
  assert.deepEqual([later.sound.value, later.safeHome.value, later.game.value], [false, true, 'maria'])
  later.sound.value = true
  assert.deepEqual([...store.kept.keys()].sort(), ['game', 'safe-home'])
})

test('the last twenty closed announcements stay closed in their rooms', () => {
  markRead('KQXWVD', 1000)
  assert.deepEqual([isRead('KQXWVD', 1000), isRead('KQXWVD', 2000), isRead('ABCDEF', 1000)], [true, false, false])
  for (let at = 1; at <= 20; at++) markRead('ABCDEF', at)
  markRead('ABCDEF', 20)
  assert.ok(isRead('ABCDEF', 1))
  markRead('ABCDEF', 21)
  assert.deepEqual([isRead('ABCDEF', 1), isRead('ABCDEF', 2), isRead('ABCDEF', 21)], [false, true, true])
})

test('a seat is found by its room, the newest without one, and can be left', () => {
  const store = storage()
  const seats = createSeats(store)
  seats.take('AAAAAA', 'Ann')
  seats.take('BBBBBB', 'Annie')
  assert.deepEqual([seats.at('AAAAAA')?.name, seats.latest()?.code], ['Ann', 'BBBBBB'])
  assert.deepEqual([seats.latest('AAAAAA')?.name, seats.latest('CCCCCC')], ['Ann', null])
  seats.leave('AAAAAA')
  seats.leave('BBBBBB')
  assert.deepEqual([seats.at('AAAAAA'), store.kept.size], [null, 0])
})

test('old seats are not offered, twenty are kept, and foreign data is ignored', () => {
  let now = 1_000_000_000
  const seats = createSeats(storage(), () => now)
  for (let i = 0; i < 30; i += 1) seats.take(`SEAT${i}`, 'Ann')
  assert.deepEqual([seats.at('SEAT9'), seats.at('SEAT10')?.name], [null, 'Ann'])
  now += 13 * 3600 * 1000
  assert.equal(seats.latest(), null)
  const broken = createSeats({ recall: () => '{broken', remember() {} })
  assert.equal(broken.latest(), null)
})
