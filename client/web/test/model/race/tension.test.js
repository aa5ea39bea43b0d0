import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toGo } from '../../../src/model/race/rivals.js'
import { createMoments, isClose, momentText } from '../../../src/model/race/tension.js'

/** @param {[name: string, home: number, state?: string][]} rows by seat, from 1 on @returns {any[]} */
const lanes = (...rows) =>
  rows.map(([name, home, state = 'racing'], i) => ({ seat: i + 1, name, home, state })).sort((a, b) => b.home - a.home)

/** The texts of the moments of Ann. @param {[at: number, ...Parameters<typeof lanes>][]} steps */
function told(...steps) {
  const moments = createMoments()
  return steps.map(([at, ...rows]) => {
    const moment = moments.next(lanes(...rows), 1, at)
    return moment && momentText(moment)
  })
}

test('who passes whom is told over a tie, but not who is first to have a card', () => {
  const steps = told([0, ['Ann', 0], ['Bob', 0]], [9e3, ['Ann', 1], ['Bob', 0]], [18e3, ['Ann', 1], ['Bob', 1]])
  assert.deepEqual(steps, [null, null, null])
  const tied = told([0, ['Ann', 4], ['Bob', 3]], [9e3, ['Ann', 4], ['Bob', 4]], [18e3, ['Ann', 4], ['Bob', 5]])
  assert.deepEqual(tied, [null, null, 'Bob passes you'])
  assert.deepEqual(told([0, ['Ann', 4], ['Bob', 5]], [9e3, ['Ann', 6], ['Bob', 5]]), [null, 'You pass Bob'])
})

test('several passes are one moment, and a rival who wins has another', () => {
  const [, all] = told([0, ['Ann', 9], ['Bob', 1], ['Cleo', 2]], [1, ['Ann', 9], ['Bob', 12], ['Cleo', 11]])
  assert.equal(all, 'Bob and Cleo pass you')
  const many = ['Bob', 'Cleo', 'Dan', 'Eve', 'Fay'].map((name) => /** @type {[string, number]} */ ([name, 5]))
  assert.equal(told([0, ['Ann', 4], ...many], [1, ['Ann', 6], ...many])[1], 'You pass Bob, Cleo, and 3 others')
  assert.deepEqual(told([0, ['Ann', 9], ['Bob', 1]], [1, ['Ann', 9], ['Bob', 104, 'solved']]), [null, null])
})

test('a moment knows whose faces it shows', () => {
  const moments = createMoments()
  moments.next(lanes(['Ann', 9], ['Bob', 1], ['Cleo', 2]), 1, 0)
  assert.deepEqual(moments.next(lanes(['Ann', 9], ['Bob', 12], ['Cleo', 11]), 1, 1)?.seats, [2, 3])
  assert.deepEqual(moments.next(lanes(['Ann', 9], ['Bob', 95], ['Cleo', 11]), 1, 6000)?.seats, [2])
  assert.deepEqual(moments.next(lanes(['Ann', 96], ['Bob', 95], ['Cleo', 11]), 1, 12_000)?.seats, [2, 3], 'passing is told first')
  assert.deepEqual(moments.next(lanes(['Ann', 96], ['Bob', 95], ['Cleo', 11]), 1, 18_000)?.seats, [])
})

test('there is one moment in five seconds, and what was undone meanwhile is none', () => {
  const [ahead, behind] = [
    ['Bob', 9],
    ['Bob', 1],
  ].map((bob) => /** @type {any} */ ([['Ann', 5], bob]))
  const steps = told([0, ...behind], [1, ...ahead], [2000, ...behind], [4000, ...ahead], [5001, ...ahead], [5002, ...behind])
  assert.deepEqual(steps, [null, 'Bob passes you', null, null, null, 'You pass Bob'])
})

/** The moments of cards that come home at these times. @param {number[]} times @param {number[]} [drawn] after this many cards */
function runsOf(times, drawn = []) {
  const moments = createMoments()
  moments.played(0, 0, 0)
  let moves = 0
  return times.flatMap((at, i) => {
    if (drawn.includes(i)) moments.played(i, ++moves, at - 300)
    moments.played(i + 1, ++moves, at)
    const moment = moments.next(lanes(['Ann', i + 1]), 1, at)
    return moment ? [momentText(moment)] : []
  })
}

/** @param {number} count @param {number} apart ms */
const times = (count, apart) => Array.from({ length: count }, (_, i) => 1000 + i * apart)

test('five cards in a row and twelve in ten seconds are told, but not those that the page brings', () => {
  assert.deepEqual(runsOf(times(10, 2000)), ['5 in a row!', '10 in a row!'])
  assert.deepEqual(runsOf(times(6, 2000), [3]), [])
  assert.deepEqual(runsOf(times(13, 800)), ['5 in a row!', '12 cards in 10 seconds!'])
  assert.deepEqual(runsOf(times(30, 90)), [])
})

test('the run of a rival is told, but not cards that the page brings or that come between other moves', () => {
  /** @param {...[home: number, moves: number]} steps of Bob, ten seconds apart */
  const told = (...steps) => {
    const moments = createMoments()
    return steps.flatMap(([home, moves], i) => {
      const bob = { seat: 2, name: 'Bob', home, moves, state: 'racing' }
      const ann = { seat: 1, name: 'Ann', home: 50, moves: 90, state: 'racing' }
      const moment = moments.next(/** @type {any} */ ([ann, bob]), 1, i * 10_000)
      return moment ? [momentText(moment)] : []
    })
  }
  assert.deepEqual(told([1, 3], [2, 4], [3, 5], [5, 7], [6, 8], [7, 9]), ['Bob: 5 in a row!'])
  assert.deepEqual(told([1, 3], [3, 5], [4, 7], [5, 8], [7, 10]), [])
  assert.deepEqual(told([1, 3], [11, 13], [21, 23]), [])
})

test('a racer who is near the win is told once, and spectators see how close the first two are', () => {
  const steps = told([0, ['Ann', 80], ['Bob', 93]], [1, ['Ann', 80], ['Bob', 95]], [9e3, ['Ann', 80], ['Bob', 99]])
  assert.deepEqual(steps, [null, 'Bob: 9 to go!', null])
  assert.equal(told([0, ['Ann', 96], ['Bob', 3]])[0], '8 to go!')
  const close = [
    lanes(['Ann', 55], ['Bob', 52]),
    lanes(['Ann', 55], ['Bob', 51]),
    lanes(['Ann', 51], ['Bob', 51]),
    lanes(['Ann', 60]),
  ]
  assert.deepEqual(close.map(isClose), [true, false, false, false])
  assert.deepEqual([toGo(lanes(['Ann', 93])[0]), toGo(lanes(['Ann', 104, 'solved'])[0]), toGo(undefined)], [0, 0, 0])
})
