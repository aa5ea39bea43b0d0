import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duelsByBracket, duelsOf } from '../../../src/model/tournament/duels.js'
import { joined } from '../../helpers.js'
import { drawn, eventOf, raced, tournament } from './views.js'

/** @param {number} seat @param {number} home @param {any} [more] */
const lane = (seat, home, more) => /** @type {any} */ ({ seat, home, state: 'racing', ms: null, ...more })

const event = eventOf('swiss', 'racing', [drawn('1-2 3-4')])

/** The pairs; !: ahead. @param {ReturnType<typeof duelsOf>} duels */
const pairsIn = (duels) => duels.map((sides) => sides.map(({ seat, ahead }) => `${seat}${ahead ? '!' : ''}`).join(' '))

test('before a race nobody is ahead; a round without pairs has no duels', () => {
  assert.deepEqual(pairsIn(duelsOf(event)), ['1 2', '3 4'])
  assert.deepEqual(duelsOf(tournament({})), [])
})

test('the racer with more cards home is ahead, a winner of all', () => {
  const lanes = [lane(1, 12), lane(2, 30), lane(3, 104, { state: 'solved', ms: 9000 }), lane(4, 103)]
  assert.deepEqual(pairsIn(duelsOf(event, lanes)), ['1 2!', '3! 4'])
})

test('of two winners the faster one is ahead', () => {
  const won = (/** @type {number} */ ms) => ({ state: 'solved', ms })
  const lanes = [lane(1, 104, won(9000)), lane(2, 104, won(8000)), lane(3, 7), lane(4, 7)]
  assert.deepEqual(pairsIn(duelsOf(event, lanes)), ['1 2!', '3 4'])
})

test('after the round the results decide', () => {
  assert.deepEqual(pairsIn(duelsOf(eventOf('swiss', 'pause', [raced('1-2', [2])]))), ['1 2!'])
})

test('in a double elimination the pairs are grouped by bracket, except finals', () => {
  /** @param {number[] | undefined} lost */
  const groups = (lost) => {
    const double = eventOf('double', 'racing', [{ ...drawn('5-6 1-2 3-4'), ...(lost ? { lost } : {}) }])
    return duelsByBracket(double).map(({ bracket, duels }) => [bracket, ...pairsIn(duels)])
  }
  assert.equal(joined(groups([5, 6, 9]), '; '), 'winners,1 2,3 4; losers,5 6')
  const all = [[null, '5 6', '1 2', '3 4']]
  assert.deepEqual(groups(undefined), all)
  assert.deepEqual(groups([2, 4, 6]), all)
  assert.deepEqual(groups([1, 2, 3, 4, 5, 6]), all)
})

test('while ties are repeated, only those pairs are shown', () => {
  const event = eventOf('points', 'racing', [drawn('1-2 3-4')])
  assert.equal(joined(duelsOf(event, [lane(3, 0), lane(4, 0)]).map((duel) => duel.map(({ seat }) => seat))), '3,4')
  assert.equal(duelsOf(event).length, 2)
})
