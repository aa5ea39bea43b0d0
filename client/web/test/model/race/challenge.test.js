import assert from 'node:assert/strict'
import { test } from 'node:test'
import { against, ghostLane, lanesOf } from '../../../src/model/race/challenge.js'

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

test('a try is compared with the result of the challenger, by time, or by cards if nobody has won', () => {
  /** @param {string} state @param {number} ms @param {number} home @returns {any} */
  const compare = (state, ms, home, rival = row('Ann', 'gave_up', 60_000, 4, 60_000), reached = 60_000) => {
    const tried = ghostLane(/** @type {any} */ ({ ghost: [], result: row('Bob', state, ms, home, reached) }), Infinity, 0)
    const { lanes, title } = against(tried, ghostLane(/** @type {any} */ ({ ghost: [], result: rival }), Infinity, 0))
    return [title, ...lanes.map(({ name, place }) => `${place} ${name}`)]
  }
  assert.deepEqual(compare('gave_up', 9_000, 9), ['You beat Ann, 9 to 4', '1 Bob', '2 Ann'])
  assert.deepEqual(compare('gave_up', 9_000, 1), ['Ann stays ahead, 4 to 1', '1 Ann', '2 Bob'])
  assert.deepEqual(compare('stuck', 9_000, 4), ['You and Ann are equal', '1 Bob', '1 Ann'])
  assert.equal(compare('stuck', 9_000, 4, undefined, 8_000)[0], 'You beat Ann: 4 each, and you got there first')
  assert.equal(compare('stuck', 9_000, 4, undefined, 80_000)[0], 'Ann stays ahead: 4 each, and Ann got there first')
  const won = row('Ann', 'solved', 60_000, 104, 60_000)
  assert.deepEqual(compare('solved', 65_000, 104, won)[0], 'Ann stays ahead, 1:00.0 to 1:05.0')
})
