import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFollower, PATIENCE, PAUSE, STAYS } from '../../../src/model/watch/follower.js'

/** Follows, from one time to the next. @param {[now: number, leader: number, moves?: number][]} steps moves of the board that is shown */
function boards(...steps) {
  const follow = createFollower()
  return steps.map(([now, leader, moves = 0]) => follow(leader, 7, () => moves, now)).join(' ')
}
const NOON = 1_000_000

test('the board of the leader is shown, or the first one until somebody leads, and each stays for some seconds', () => {
  assert.equal(boards([NOON, 0], [NOON + STAYS - 1, 2], [NOON + STAYS, 2], [NOON + STAYS + 1, 0]), '7 7 2 2')
  assert.equal(boards([NOON, 3], [NOON + STAYS, 2], [NOON + STAYS + 1, 3], [NOON + 2 * STAYS, 3]), '3 2 2 3')
})

test('the board does not change within a run of moves, but a run without end does not hold it', () => {
  const later = NOON + 20_000
  assert.equal(boards([NOON, 1], [later, 1, 5], [later + 1, 2, 5], [later + PAUSE, 2, 5]), '1 1 1 2')
  const moves = Array.from({ length: 11 }, (_, i) => /** @type {[number, number, number]} */ ([later + i * 1000, 2, i + 1]))
  assert.equal(boards([NOON, 1], ...moves), `1 ${'1 '.repeat(PATIENCE / 1000)}2`)
})
