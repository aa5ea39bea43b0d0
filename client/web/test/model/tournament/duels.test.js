import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duelsByBracket, duelsOf } from '../../../src/model/tournament/duels.js'
import { raced, tournament } from './views.js'

/** @param {number} seat @param {number} home @param {any} [more] */
const lane = (seat, home, more) => /** @type {any} */ ({ seat, home, state: 'racing', ms: null, ...more })

const DRAWN = {
  game: 'lucas',
  state: /** @type {const} */ ('racing'),
  pairs: /** @type {[number, number][]} */ ([
    [1, 2],
    [3, 4],
  ]),
}
const held = tournament({ phase: 'racing', round: 1, rounds: { 1: DRAWN } }, { format: 'swiss' })

/** @param {ReturnType<typeof duelsOf>} duels ! is ahead */
const told = (duels) => duels.map((sides) => sides.map(({ seat, ahead }) => `${seat}${ahead ? '!' : ''}`).join(' '))

test('before a race nobody is ahead, and a round without pairs has no duels', () => {
  assert.deepEqual(told(duelsOf(held)), ['1 2', '3 4'])
  assert.deepEqual(duelsOf(tournament({})), [])
})

test('whoever has more cards home is ahead, and whoever has won is ahead of all others', () => {
  const lanes = [lane(1, 12), lane(2, 30), lane(3, 104, { state: 'solved', ms: 9000 }), lane(4, 103)]
  assert.deepEqual(told(duelsOf(held, lanes)), ['1 2!', '3! 4'])
})

test('of two who have won, the faster one is ahead, and equals are not', () => {
  const won = (/** @type {number} */ ms) => ({ state: 'solved', ms })
  const lanes = [lane(1, 104, won(9000)), lane(2, 104, won(8000)), lane(3, 7), lane(4, 7)]
  assert.deepEqual(told(duelsOf(held, lanes)), ['1 2!', '3 4'])
})

test('after the round the results say it', () => {
  const pairs = /** @type {[number, number][]} */ ([[1, 2]])
  const played = tournament({ phase: 'pause', round: 1, rounds: { 1: raced(pairs, [2]) } }, { format: 'swiss' })
  assert.deepEqual(told(duelsOf(played)), ['1 2!'])
})

test('in a double elimination, the pairs stand under their brackets, and in all else and in finals together', () => {
  const pairs = /** @type {[number, number][]} */ ([
    [5, 6],
    [1, 2],
    [3, 4],
  ])
  /** @param {number[] | undefined} lost */
  const groups = (lost) => {
    const round = { ...DRAWN, pairs, ...(lost ? { lost } : {}) }
    const double = tournament({ phase: 'racing', round: 1, rounds: { 1: round } }, { format: 'double' })
    return duelsByBracket(double).map(({ bracket, duels }) => [bracket, ...told(duels)])
  }
  assert.deepEqual(groups([5, 6, 9]), [
    ['winners', '1 2', '3 4'],
    ['losers', '5 6'],
  ])
  const all = [[null, '5 6', '1 2', '3 4']]
  assert.deepEqual(groups(undefined), all)
  assert.deepEqual(groups([2, 4, 6]), all)
  assert.deepEqual(groups([1, 2, 3, 4, 5, 6]), all)
})

test('while ties are raced again, only those pairs are shown', () => {
  const rounds = {
    1: {
      pairs: /** @type {[number, number][]} */ ([
        [1, 2],
        [3, 4],
      ]),
    },
  }
  const event = tournament({ phase: 'racing', round: 1, rounds })
  assert.deepEqual(
    duelsOf(event, [lane(3, 0), lane(4, 0)]).map((duel) => duel.map(({ seat }) => seat)),
    [[3, 4]],
  )
  assert.equal(duelsOf(event).length, 2)
})
