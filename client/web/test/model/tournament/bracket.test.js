import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bracketOf, levelNow, partsOf } from '../../../src/model/tournament/bracket.js'
import { placesOf } from '../../../src/model/tournament/bracket-places.js'
import { joined } from '../../helpers.js'
import { drawn, entrant, entrants, eventOf, raced, sidesAs, tournament } from './views.js'

/** The bracket of a knock-out. @param {Parameters<typeof eventOf>[1]} phase @param {any[]} rounds @param {object} [more] */
const cup = (phase, rounds, more) => bracketOf(eventOf('knockout', phase, rounds, more))

const FIVE = { entrants: entrants(5) }

test('the best two are far apart, and before the draw there is no bracket', () => {
  assert.deepEqual(placesOf(2), [1, 2])
  assert.deepEqual(placesOf(8), [1, 8, 4, 5, 2, 7, 3, 6])
  assert.equal(bracketOf(tournament({}, { format: 'knockout' })), null)
})

test('five entrants have a bracket of eight, and the best three have byes', () => {
  const bracket = cup('drawn', [drawn('4-5', [1, 2, 3])], FIVE)
  assert.deepEqual(sidesAs(bracket?.levels), [['1! 0', '4 5', '2! 0', '3! 0'], ['1 ?', '2 3'], ['? ?']])
  assert.equal(bracket?.levels.map(({ name }) => name.stage).join(' '), 'quarter semi final')
  assert.equal(bracket?.levels[0].matches[1].isOn, true)
})

test('winners go on to the cup, and the losers of the semi-finals race for third place', () => {
  const rounds = [raced('4-5', [5], [1, 2, 3]), raced('1-5 2-3', [1, 3]), raced('1-3 2-5', [3, 5])]
  const bracket = cup('over', rounds, FIVE)
  assert.deepEqual(sidesAs(bracket?.levels), [['1! 0', '4 5!', '2! 0', '3! 0'], ['1! 5', '2 3!'], ['1 3!']])
  assert.equal(bracket?.third?.sides.map(({ seat, won }) => [seat, won]).join(' '), '2,false 5,true')
})

test('ties, no-shows, later draws and withdrawals decide who goes on', () => {
  assert.deepEqual(sidesAs(cup('pause', [raced('1-2', [1, 2])], { entrants: entrants(2) })?.levels), [['1 2']])
  assert.deepEqual(sidesAs(cup('over', [raced('1-4 2-3', [2])])?.levels), [['1 4', '2! 3'], ['0 2!']])
  assert.deepEqual(sidesAs(cup('drawn', [raced('1-4 2-3', [1, 2]), drawn('4-2')])?.levels), [['1 4!', '2! 3'], ['4 2']])
  const gone = { ...entrants(4), 1: entrant('Ann', 'withdrawn') }
  assert.deepEqual(sidesAs(cup('over', [raced('1-4 2-3', [1, 2])], { entrants: gone })?.levels)?.[1], ['1 2!'])
})

/** A bracket with only the fields for the tests of parts. @param {number} size */
const large = (size) =>
  Array.from({ length: Math.log2(size) + 1 }, (_, level) => ({
    name: /** @type {const} */ ({ stage: 'round', number: level }),
    matches: Array.from({ length: size >> level }, (_, at) => /** @type {any} */ ({ round: level < 2 ? level + 1 : 0, at })),
  }))

/** The matches of each level of each part. @param {ReturnType<typeof partsOf>} parts */
const matchesIn = (parts) =>
  parts.map((levels) => joined(levels.map(({ matches }) => matches.map((match) => /** @type {any} */ (match).at))))

test('a large bracket has parts, and its present level is the last drawn round', () => {
  assert.deepEqual(matchesIn(partsOf(large(16), 0, 8)), ['0,1,2,3,4,5,6,7 0,1,2,3 0,1 0', '8,9,10,11,12,13,14,15 4,5,6,7 2,3 1'])
  assert.deepEqual(partsOf(large(8), 0, 8), [large(8)])
  assert.deepEqual(matchesIn(partsOf(large(16), 1, 8, 2)), ['0,1,2,3,4,5,6,7 0,1,2,3'])
  assert.equal(levelNow(large(8)), 1)
})
