import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gapText, rivalWins } from '../../../src/model/race/rivals.js'
import { joined, raceOf } from '../../helpers.js'

test('the wins of the others are in the order of their times', () => {
  assert.deepEqual(rivalWins(raceOf({ 1: { state: 'stuck', finished_at: 1500 } }), 2), [])
  const state = 'solved'
  const race = raceOf({ 1: { state, finished_at: 9000 }, 2: { state, finished_at: 6000 }, 3: { state } })
  assert.equal(joined(rivalWins(race, 3).map(({ seat, name, at, ms }) => [seat, name, at, ms])), '2,P2,6000,5000 1,P1,9000,8000')
})

test('a gap has a sign', () => {
  assert.deepEqual([gapText(9, 3), gapText(3, 9), gapText(3, 3)], ['+6', '−6', '='])
})
