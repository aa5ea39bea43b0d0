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

test('who is ahead has more cards home, or has won, or won faster', () => {
  const won = (/** @type {number} */ ms) => ({ state: 'solved', ms })
  const pairs = (/** @type {any[]} */ ...lanes) => joined(pairsIn(duelsOf(event, lanes)), ', ')
  assert.equal(pairs(), '1 2, 3 4', 'before a race nobody is')
  assert.equal(pairs(lane(1, 12), lane(2, 30), lane(3, 104, won(9000)), lane(4, 103)), '1 2!, 3! 4')
  assert.equal(pairs(lane(1, 104, won(9000)), lane(2, 104, won(8000)), lane(3, 7), lane(4, 7)), '1 2!, 3 4')
  assert.equal(pairs(lane(3, 0), lane(4, 0)), '3 4', 'while ties are repeated, only those pairs are shown')
  assert.deepEqual(pairsIn(duelsOf(eventOf('swiss', 'pause', [raced('1-2', [2])]))), ['1 2!'], 'by the results')
  assert.deepEqual(duelsOf(tournament({})), [], 'a round without pairs')
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
