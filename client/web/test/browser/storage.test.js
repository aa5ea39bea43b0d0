import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrefs, randomFace } from '../../src/browser/preferences.js'
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

test('preferences are kept, except those with their default value; a face is drawn', () => {
  const store = storage()
  const prefs = createPrefs(store)
  assert.deepEqual([prefs.sound.value, prefs.safeHome.value, prefs.game.value, store.kept.size], [true, false, 'lucas', 1])
  assert.equal(createPrefs(store).face.value, prefs.face.value)
  assert.deepEqual([randomFace(() => 0), randomFace(() => 0.999)], [1, 8 * 49 - 1])
  store.remember('face', '392')
  assert.ok(createPrefs(store).face.value < 392)
  prefs.sound.value = false
  prefs.safeHome.value = true
  prefs.game.value = 'maria'
  const later = createPrefs(store)
  assert.deepEqual([later.sound.value, later.safeHome.value, later.game.value], [false, true, 'maria'])
  later.sound.value = true
  assert.deepEqual([...store.kept.keys()].sort(), ['face', 'game', 'safe-home'])
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
