import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bracketOf, levelNow, partsOf } from '../../../src/model/tournament/bracket.js'
import { placesOf } from '../../../src/model/tournament/bracket-places.js'
import { entrants, raced, tournament } from './views.js'

/** @param {ReturnType<typeof bracketOf>} bracket each match as two seats: 0 is no entrant, ? not known yet, ! has won */
const drawnAs = (bracket) =>
  bracket?.levels.map(({ matches }) =>
    matches.map(({ sides }) => sides.map(({ seat, empty, won }) => `${seat ?? (empty ? 0 : '?')}${won ? '!' : ''}`).join(' ')),
  )

test('the best two stand as far apart as can be', () => {
  assert.deepEqual(placesOf(2), [1, 2])
  assert.deepEqual(placesOf(8), [1, 8, 4, 5, 2, 7, 3, 6])
})

test('before the first draw there is no bracket', () => {
  assert.equal(bracketOf(tournament({}, { format: 'knockout' })), null)
})

test('five stand in a bracket of eight, and the best three have byes', () => {
  const rounds = {
    1: {
      game: 'lucas',
      state: /** @type {const} */ ('drawn'),
      pairs: /** @type {[number, number][]} */ ([[4, 5]]),
      byes: [1, 2, 3],
    },
  }
  const bracket = bracketOf(tournament({ phase: 'drawn', round: 1, rounds, entrants: entrants(5) }, { format: 'knockout' }))
  assert.deepEqual(drawnAs(bracket), [['1! 0', '4 5', '2! 0', '3! 0'], ['1 ?', '2 3'], ['? ?']])
  assert.deepEqual(
    bracket?.levels.map(({ name }) => name.stage),
    ['quarter', 'semi', 'final'],
  )
  assert.equal(bracket?.levels[0].matches[1].isOn, true)
})

test('who wins goes on, up to the cup, and the losers of the semi-finals race for the third place', () => {
  const rounds = {
    1: raced([[4, 5]], [5], [1, 2, 3]),
    2: raced(
      [
        [1, 5],
        [2, 3],
      ],
      [1, 3],
    ),
    3: raced(
      [
        [1, 3],
        [2, 5],
      ],
      [3, 5],
    ),
  }
  const bracket = bracketOf(tournament({ phase: 'over', round: 3, rounds, entrants: entrants(5) }, { format: 'knockout' }))
  assert.deepEqual(drawnAs(bracket), [['1! 0', '4 5!', '2! 0', '3! 0'], ['1! 5', '2 3!'], ['1 3!']])
  assert.deepEqual(
    bracket?.third?.sides.map(({ seat, won }) => [seat, won]),
    [
      [2, false],
      [5, true],
    ],
  )
})

test('a tie is not decided before it is played on', () => {
  const tied = raced([[1, 2]], [1, 2])
  const bracket = bracketOf(
    tournament({ phase: 'pause', round: 1, rounds: { 1: tied }, entrants: entrants(2) }, { format: 'knockout' }),
  )
  assert.deepEqual(drawnAs(bracket), [['1 2']])
})

test('of two who did not start nobody goes on, and the next opponent does without a race', () => {
  const rounds = {
    1: raced(
      [
        [1, 4],
        [2, 3],
      ],
      [2],
    ),
  }
  const held = tournament({ phase: 'over', round: 1, rounds }, { format: 'knockout' })
  assert.deepEqual(drawnAs(bracketOf(held)), [['1 4', '2! 3'], ['0 2!']])
})

test('who was drawn for the next round went on, whatever the results say', () => {
  const rounds = {
    1: raced(
      [
        [1, 4],
        [2, 3],
      ],
      [1, 2],
    ),
    2: { game: 'lucas', state: /** @type {const} */ ('drawn'), pairs: /** @type {[number, number][]} */ ([[4, 2]]) },
  }
  const bracket = bracketOf(tournament({ phase: 'drawn', round: 2, rounds }, { format: 'knockout' }))
  assert.deepEqual(drawnAs(bracket), [['1 4!', '2! 3'], ['4 2']])
})

test('who withdraws between two rounds lets the other one go on', () => {
  const rounds = {
    1: raced(
      [
        [1, 4],
        [2, 3],
      ],
      [1, 2],
    ),
  }
  const held = tournament({ phase: 'over', round: 1, rounds }, { format: 'knockout' })
  const bracket = bracketOf({
    ...held,
    entrants: { ...held.entrants, 1: { name: 'Ann', state: 'withdrawn', reason: '', since: 1, team: '', board: 0 } },
  })
  assert.deepEqual(drawnAs(bracket)?.[1], ['1 2!'])
})

/** A bracket with only the fields for the tests of parts. @param {number} size */
const large = (size) =>
  Array.from({ length: Math.log2(size) + 1 }, (_, level) => ({
    name: /** @type {const} */ ({ stage: 'round', number: level }),
    matches: Array.from({ length: size >> level }, (_, at) => /** @type {any} */ ({ round: level < 2 ? level + 1 : 0, at })),
  }))

test('a large bracket comes in parts, each with the levels that its matches lead to', () => {
  const parts = partsOf(large(16), 0, 8)
  assert.deepEqual(
    parts.map((levels) => levels.map(({ matches }) => matches.map((/** @type {any} */ match) => match.at))),
    [
      [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3], [0, 1], [0]],
      [[8, 9, 10, 11, 12, 13, 14, 15], [4, 5, 6, 7], [2, 3], [1]],
    ],
  )
})

test('a bracket with room for it is one part, up to the final, and may be cut to its next levels', () => {
  assert.deepEqual(partsOf(large(8), 0, 8), [large(8)])
  assert.deepEqual(
    partsOf(large(16), 1, 8, 2).map((levels) => levels.map(({ matches }) => matches.length)),
    [[8, 4]],
  )
})

test('the present level is that of the last round that was drawn', () => {
  assert.equal(levelNow(large(8)), 1)
})
