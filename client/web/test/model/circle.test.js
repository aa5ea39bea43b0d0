import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beganAt, openRaces, tableOf } from '../../src/model/circle.js'

const SATURDAY = Date.UTC(2026, 10, 28, 12)

/** @param {number} days ago @param {[number, number][]} rows @returns {any} */
const score = (days, rows) => ['day', String(days), SATURDAY - days * 86_400_000, rows]

test('a week begins on Monday, a season with a quarter, and both in UTC', () => {
  const starts = /** @type {const} */ (['week', 'month', 'season', 'all']).map((period) => beganAt(period, SATURDAY))
  assert.deepEqual(starts, [Date.UTC(2026, 10, 23), Date.UTC(2026, 10, 1), Date.UTC(2026, 9, 1), 0])
})

test('places give points, and only those of the period count', () => {
  const scores = [score(1, [[1, 1], [2, 2]]), score(2, [[2, 1], [1, 1], [3, 3]]), score(40, [[3, 1]])] // biome-ignore format: rows
  const week = tableOf({ scores }, 'week', SATURDAY)
  assert.deepEqual(
    week.map(({ number, place, points, wins, played }) => [number, place, points, wins, played]),
    [
      [1, 1, 20, 2, 2],
      [2, 2, 18, 1, 2],
      [3, 3, 6, 0, 1],
    ],
  )
  assert.equal(tableOf({ scores }, 'season', SATURDAY)[2]?.points, 16)
})

test('the best scores count, equal members share a place, and later places get nothing', () => {
  const scores = [score(1, [[1, 1], [2, 1]]), score(2, [[1, 3], [2, 2]]), score(3, [[4, 9]])] // biome-ignore format: rows
  const rows = tableOf({ scores, counted: 1 }, 'all', SATURDAY)
  assert.deepEqual(
    rows.map(({ number, place, points }) => [number, place, points]),
    [
      [1, 1, 10],
      [2, 1, 10],
      [4, 3, 0],
    ],
  )
})

test('a member sees the races in which others wait, the newest first, for two hours', () => {
  /** @type {any} */
  const circle = { races: { OLD: [3, 0], KIRAN: [2, 2], EVE: [3, 9], OWN: [1, 9] }, members: { 2: ['Kiran'], 3: ['Eve'] } }
  assert.deepEqual(openRaces(circle, 1, 7_200_001), [
    { room: 'EVE', name: 'Eve' },
    { room: 'KIRAN', name: 'Kiran' },
  ])
})
