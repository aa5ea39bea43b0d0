import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRanked, places } from '../../src/rules/ranking.js'

/** @import { Result } from '../../src/rules/ranking.js' */

const unsolved = (home = 0, reached_at = 0, moves = 0, when = 0) => ({ solved: false, when, home, reached_at, moves })
const solved = (/** @type {number} */ when, moves = 100) => ({ solved: true, when, home: 104, reached_at: when, moves })

/** @param {Record<number, Result>} results */
const placesOf = (results) =>
  Object.fromEntries(places(new Map(Object.entries(results).map(([seat, result]) => [Number(seat), result]))))

test('fast wins come first, then more cards, earlier cards and fewer moves', () => {
  assert.deepEqual(placesOf({ 1: unsolved(103), 2: solved(900), 3: solved(899, 300) }), { 3: 1, 2: 2, 1: 3 })
  assert.deepEqual(placesOf({ 1: unsolved(30, 10), 2: unsolved(31, 99) }), { 2: 1, 1: 2 })
  assert.deepEqual(placesOf({ 1: unsolved(30, 20, 1), 2: unsolved(30, 19, 9) }), { 2: 1, 1: 2 })
  assert.deepEqual(placesOf({ 1: unsolved(30, 20, 61), 2: unsolved(30, 20, 60) }), { 2: 1, 1: 2 })
  assert.deepEqual(placesOf({ 1: unsolved(30, 20, 5, 5), 2: unsolved(30, 20, 5, 500) }), { 1: 1, 2: 1 })
})

test('no-shows and disqualified racers have no place, equal ones share one', () => {
  for (const state of ['did_not_start', 'gave_up', 'timed_out']) {
    assert.deepEqual([isRanked(state, 0), isRanked(state, 1)], [false, true])
  }
  assert.equal(isRanked('disqualified', 9), false)
  assert.deepEqual(placesOf({ 4: unsolved(7), 7: unsolved(7), 9: unsolved(3) }), { 4: 1, 7: 1, 9: 3 })
  assert.deepEqual(placesOf({}), {})
})
