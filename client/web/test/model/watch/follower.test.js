import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDuel, createFollower, DUEL, PATIENCE, PAUSE, STAYS } from '../../../src/model/watch/follower.js'

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

test('the first two have large boards when the end is close, in the order of their seats and for some seconds', () => {
  const find = createDuel()
  /** @param {number} at @param {...[seat: number, home: number]} homes in order */
  const pair = (at, ...homes) =>
    find(/** @type {any} */ (homes.map(([seat, home]) => ({ seat, home, state: 'racing' }))), NOON + at).join(' ')
  assert.equal(pair(0, [3, 30], [1, 29], [2, 5]), '', 'half of the cards are not home yet')
  assert.equal(pair(1, [3, 60], [1, 58], [2, 5]), '1 3')
  assert.equal(pair(2, [1, 61], [3, 60], [2, 5]), '1 3')
  assert.equal(pair(DUEL, [1, 70], [2, 60], [3, 60]), '1 3', 'too soon')
  assert.equal(pair(DUEL + 1, [1, 70], [2, 60], [3, 60]), '')
  assert.equal(pair(3 * DUEL, [1, 95], [2, 60], [3, 60]), '1 2', 'the leader may win at any time')
})

test('the board does not change within a run of moves, but a run without end does not hold it', () => {
  const later = NOON + 20_000
  assert.equal(boards([NOON, 1], [later, 1, 5], [later + 1, 2, 5], [later + PAUSE, 2, 5]), '1 1 1 2')
  const moves = Array.from({ length: 11 }, (_, i) => /** @type {[number, number, number]} */ ([later + i * 1000, 2, i + 1]))
  assert.equal(boards([NOON, 1], ...moves), `1 ${'1 '.repeat(PATIENCE / 1000)}2`)
})
