import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bestBefore,
  daysInARow,
  emptyMemory,
  MOST_PLAYS,
  merged,
  shortened,
  totalsOf,
  Unusable,
  withPlay,
} from '../../../src/model/memory/memory.js'
import { pluck } from '../../helpers.js'

/** @import { Memory, Play } from '../../../src/model/memory/memory.js' */

const HERE = 'a'.repeat(16)
const THERE = 'b'.repeat(16)
const DAY = 86_400_000

/** @param {number} at @param {Partial<Play>} [more] */
const play = (at, more = {}) =>
  /** @type {Omit<Play, 'device'>} */ ({
    ...{ id: `practice/lucas:${at}`, kind: 'practice', game: 'lucas', at, stage: 2, state: 'solved', ms: 1000 + at, home: 104 },
    ...{ place: null, racers: 1, of: '', ...more },
  })
const LOST = /** @type {const} */ ({ state: 'gave_up', ms: null, home: 40 })
const UNDER_WAY = /** @type {const} */ ({ state: 'racing', ms: null, home: 0, stage: 0 })

/** @param {Omit<Play, 'device'>[]} plays @param {Memory} [memory] */
const played = (plays, memory = emptyMemory(HERE)) => plays.reduce(withPlay, memory)

/** @param {Memory} memory @param {string} [key] */
const total = (memory, key = 'practice/lucas') => totalsOf(memory).get(key)

test('wins, times and streaks are counted for each kind and game', () => {
  const memory = played([play(1), play(2), play(3, LOST), play(4), play(5, { kind: 'race', racers: 2, place: 2 })])
  assert.deepEqual(total(memory), { games: 4, wins: 3, best: 1001, streak: 1, longest: 2, open: false, at: 4 })
  const race = total(memory, 'race/lucas')
  assert.deepEqual([race?.wins, race?.best], [0, 1005])
})

test('a race that was won on cards counts as a win without a time', () => {
  const race = total(played([play(1, { ...LOST, state: 'timed_out', kind: 'bot', racers: 2, place: 1 })]), 'bot/lucas')
  assert.deepEqual([race?.wins, race?.best], [1, null])
})

test('a play that was left ends the streak when the next one begins', () => {
  const now = played([play(1), play(2), play(3, UNDER_WAY)])
  assert.equal(total(now)?.streak, 2)
  assert.equal(total(withPlay(now, play(3)))?.streak, 3)
  assert.equal(total(withPlay(now, play(4)))?.streak, 1)
})

test('a play counts once, with what is known last', () => {
  const race = { kind: /** @type {const} */ ('race'), id: 'KQXWVD/1', racers: 3 }
  const memory = played([play(7, { ...race, ...UNDER_WAY }), play(7, { ...race, stage: 1 }), play(7, { ...race, place: 1 })])
  const later = played([play(7, { ...race, stage: 1 }), play(8, { ...race, ...UNDER_WAY })], memory)
  assert.deepEqual([later.plays.length, later.plays[0].place, total(later, 'race/lucas')?.wins], [1, 1, 1])
})

test('a deal that the player knows does not count', () => {
  const raced = played([play(1, { id: 'KQXWVD/1', kind: 'race' }), play(2)])
  const again = played([play(3, { id: 'practice/KQXWVD/1' }), play(4, { id: 'practice/lucas:2', ms: 5 })], raced)
  assert.deepEqual(again, raced)
})

test('the best time of races is none of practice', () => {
  const memory = played([play(1), play(2, { kind: 'bot' }), play(3, { kind: 'challenge', game: 'maria' })])
  assert.equal(bestBefore(memory, play(4, { kind: 'race' })), 1002)
  assert.equal(bestBefore(memory, play(4)), 1001)
  assert.equal(bestBefore(memory, play(1)), null)
  assert.equal(bestBefore(memory, play(5, { game: 'streets' })), null)
})

/** The plays from a number on, every third one lost. @param {number} from @param {number} count */
const many = (from, count) => Array.from({ length: count }, (_, i) => play(from + i, i % 3 ? {} : LOST))

test('old plays are kept as totals only', () => {
  const plays = many(1, MOST_PLAYS + 50)
  const memory = played(plays)
  const { games, wins, best, longest } = total(memory) ?? {}
  assert.deepEqual([memory.plays.length, memory.plays[0].at, games, wins], [MOST_PLAYS, 51, 250, 166])
  assert.deepEqual([best, longest], [1002, 2])
  assert.deepEqual(withPlay(memory, plays[3]), memory, 'it is in the totals')
})

test('two memories merge the same in any order, and twice is once', () => {
  const here = played(many(1, MOST_PLAYS + 20))
  const there = played([...many(1000, MOST_PLAYS + 30), play(5000, { kind: 'day' })], emptyMemory(THERE))
  const both = merged(here, there)
  assert.equal(total(both)?.games, 2 * MOST_PLAYS + 50)
  assert.deepEqual(merged(both, there), both)
  assert.deepEqual(merged(both, here), both)
  assert.deepEqual(merged(both, merged(there, here)), both)
  const { device: _, ...other } = merged(there, here)
  assert.deepEqual(other, { base: both.base, days: both.days, plays: both.plays, version: 1 })
})

test('plays go on after a merge, on both devices', () => {
  const there = played(many(1, 150), emptyMemory(THERE))
  const here = merged(played(many(500, 150)), there)
  const later = merged(played(many(2000, 10), here), played(many(3000, 10), there))
  assert.equal(total(later)?.games, 320)
})

test('a race that two devices know counts once', () => {
  const race = play(1, { id: 'KQXWVD/1', kind: 'race' })
  const both = merged(played([{ ...race, stage: 1 }]), played([race], emptyMemory(THERE)))
  assert.deepEqual(pluck(both.plays, 'device'), [THERE])
  assert.equal(total(both, 'race/lucas')?.games, 1)
})

test('a file cannot change what this device has counted', () => {
  const here = played(many(1, MOST_PLAYS + 20))
  const forged = { ...emptyMemory(HERE), base: { [HERE]: { until: 1e9, totals: {} } } }
  assert.deepEqual(merged(here, forged), here)
})

test('a memory has a limited number of devices', () => {
  const base = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`device${i}`, { until: 0, totals: {} }]))
  assert.throws(() => merged(emptyMemory(HERE), { ...emptyMemory(THERE), base }), Unusable)
})

test('days in a row are counted across months and devices, and end after a day without a play', () => {
  const day = (/** @type {number} */ number) => play(number * DAY + 5, { kind: 'day', id: `DAYDAY/${number}` })
  const memory = played([day(1), day(3), day(4), day(4)])
  assert.deepEqual(memory.days, [
    [1, 1],
    [3, 4],
  ])
  assert.deepEqual(
    [4.1, 5.9, 6, 3].map((now) => daysInARow(memory, now * DAY)),
    [2, 2, 0, 2],
  )
  const both = merged(memory, played([day(2), day(5)], emptyMemory(THERE)))
  assert.deepEqual([both.days, daysInARow(both, 5 * DAY)], [[[1, 5]], 5])
  assert.equal(daysInARow(emptyMemory(HERE), 0), 0)
})

test('a shortened memory has the same totals, also where it is added', () => {
  const memory = played(Array.from({ length: 30 }, (_, at) => play(at + 1, at % 3 ? {} : LOST)))
  for (const most of [30, 7, 0]) {
    const short = shortened(memory, most)
    assert.equal(short.plays.length, most)
    for (const one of [short, merged(emptyMemory(THERE), short)]) assert.deepEqual(total(one), total(memory))
  }
})
