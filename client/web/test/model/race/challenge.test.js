import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ghostLane, lanesOf } from '../../../src/model/race/challenge.js'

/** @param {string} name @param {string} state @param {number} ms @param {number} home @param {number} reached @returns {any} */
const row = (name, state, ms, home, reached) => [name, 'HWQDLS', state, ms, home, 90, reached]

test('results have the order of the server, and equal ones the same place', () => {
  const best = {
    1: row('Ann', 'gave_up', 90_000, 40, 80_000),
    2: row('Bob', 'solved', 300_000, 104, 300_000),
    3: row('Cem', 'timed_out', 600_000, 40, 80_000),
    4: row('Dan', 'stuck', 50_000, 40, 70_000),
    5: row('Eve', 'solved', 280_000, 104, 280_000),
  }
  const lanes = lanesOf(/** @type {any} */ ({ best }))
  assert.deepEqual(
    lanes.map(({ name, place }) => [name, place]),
    [
      ['Eve', 1],
      ['Bob', 2],
      ['Dan', 3],
      ['Ann', 4],
      ['Cem', 4],
    ],
  )
})

test('the lane of the challenger has the cards home by that time, and at the end the result', () => {
  /** @type {any} */
  const challenge = {
    result: row('Ann', 'solved', 60_000, 104, 60_000),
    ghost: [
      [10_000, 9],
      [20_000, 10],
      [60_000, 104],
    ],
  }
  const homes = [0, 9_999, 10_000, 59_999].map((ms) => ghostLane(challenge, ms, 8).home)
  assert.deepEqual(homes, [8, 8, 9, 10])
  assert.equal(ghostLane(challenge, 59_999, 8).state, 'racing')
  const { state, home, ms } = ghostLane(challenge, 60_000, 8)
  assert.deepEqual([state, home, ms], ['solved', 104, 60_000])
})
