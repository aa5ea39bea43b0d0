import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparedWith, isBeaten, needed } from '../../../src/model/tournament/need.js'
import { entrants, raced, said, tournament, viewOf } from './views.js'

const after = tournament({
  phase: 'pause',
  round: 1,
  rounds: { 1: { game: 'lucas', state: 'played', results: {} } },
  standings: [
    [1, 1, 25, []],
    [2, 2, 18, []],
    [3, 3, 7.5, []],
    [3, 4, 7.5, []],
  ],
})

test('who is behind is told how far, and behind whom', () => {
  assert.equal(
    said(...needed(viewOf(after), 2)),
    'You are 2nd with 18 points, 7 behind Ann (1st). 2 rounds to go, 25 for each win.',
  )
  assert.equal(
    said(...needed(viewOf(after), 3)),
    'You are 3rd with 7½ points, 10½ behind Bob (2nd). 2 rounds to go, 25 for each win.',
  )
})

test('who leads is told by how much', () => {
  assert.equal(said(...needed(viewOf(after), 1)), 'You lead with 25 points, 7 ahead of Bob. 2 rounds to go, 25 for each win.')
})

test('before the first round there is only what it is worth', () => {
  const drawn = tournament({ phase: 'drawn', round: 1, rounds: { 1: { game: 'lucas', state: 'drawn' } } })
  assert.equal(said(...needed(viewOf(drawn), 2)), 'First place gives 25 points.')
  assert.equal(said(comparedWith(viewOf(drawn), 2)), 'You race against everyone.')
  assert.deepEqual(needed(viewOf(tournament({})), 2), [])
})

test('in pairs one is told against whom, and what a win is worth', () => {
  const held = tournament(
    {
      phase: 'racing',
      round: 2,
      rounds: {
        1: raced(
          [
            [1, 2],
            [3, 4],
          ],
          [1, 3],
        ),
        2: {
          game: 'lucas',
          state: 'racing',
          pairs: [
            [1, 3],
            [2, 4],
          ],
        },
      },
      standings: [
        [1, 1, 1, []],
        [1, 3, 1, []],
        [3, 2, 0, []],
        [3, 4, 0, []],
      ],
    },
    { format: 'swiss' },
  )
  assert.equal(said(comparedWith(viewOf(held), 1)), 'You race against Cleo.')
  assert.match(
    said(...needed(viewOf(held), 1)),
    /You are 1st with 1 point, tied with Cleo. Your opponent has 1 point. A win gives 1/,
  )
})

test('who has a half-point bye, or will have one, is told so', () => {
  const before = viewOf(tournament({ half_byes: { 2: [1], 3: [2] } }, { format: 'swiss', half_byes: 1 }))
  assert.equal(said(comparedWith(before, 2)), 'You sit out the next round for half a point.')
  assert.match(said(comparedWith(before, 3)), /Your opponent is drawn/)
  const rounds = { 1: { game: 'lucas', state: /** @type {const} */ ('drawn'), pairs: [[1, 3]], half_byes: [2] } }
  const drawn = tournament({ phase: 'drawn', round: 1, rounds: /** @type {any} */ (rounds) }, { format: 'swiss', half_byes: 1 })
  assert.equal(said(comparedWith(viewOf(drawn), 2)), 'You have a half-point bye: half a point without a race.')
})

test('in a knock-out one needs to win, and is told for what', () => {
  const semi = tournament(
    {
      phase: 'drawn',
      round: 1,
      rounds_planned: 2,
      rounds: {
        1: {
          game: 'lucas',
          state: 'drawn',
          pairs: [
            [1, 4],
            [2, 3],
          ],
        },
      },
    },
    { format: 'knockout' },
  )
  assert.equal(said(...needed(viewOf(semi), 1)), 'Win to reach the final.')
  const final = tournament(
    {
      phase: 'drawn',
      round: 2,
      rounds_planned: 2,
      rounds: {
        1: raced(
          [
            [1, 4],
            [2, 3],
          ],
          [1, 2],
        ),
        2: {
          game: 'lucas',
          state: 'drawn',
          pairs: [
            [1, 2],
            [3, 4],
          ],
        },
      },
    },
    { format: 'knockout' },
  )
  assert.equal(said(...needed(viewOf(final), 1)), 'This is the final. Win, and the cup is yours.')
  assert.equal(said(...needed(viewOf(final), 4)), 'Win to take third place.')
})

test('who has lost is out, unless there is the third place to race for', () => {
  const rounds = {
    1: raced(
      [
        [1, 8],
        [4, 5],
        [2, 7],
        [3, 6],
      ],
      [1, 4, 2, 3],
    ),
  }
  const held = tournament({ phase: 'pause', round: 1, rounds, entrants: entrants(8) }, { format: 'knockout' })
  assert.equal(isBeaten(held, 8), true)
  assert.equal(isBeaten(held, 1), false)
  const semi = tournament(
    {
      phase: 'pause',
      round: 1,
      rounds: {
        1: raced(
          [
            [1, 4],
            [2, 3],
          ],
          [1, 2],
        ),
      },
    },
    { format: 'knockout' },
  )
  assert.equal(isBeaten(semi, 4), false)
  assert.equal(isBeaten({ ...semi, plan: { ...semi.plan, third_place: false } }, 4), true)
})

test('who is not in it any more is told why, and that there is a way back', () => {
  const held = tournament({
    phase: 'pause',
    round: 1,
    entrants: {
      1: { name: 'Ann', state: 'disqualified', reason: 'Two browsers.', since: 1, team: '', board: 0 },
      2: { name: 'Bob', state: 'withdrawn', reason: 'no_show', since: 1, team: '', board: 0 },
    },
  })
  assert.equal(said(comparedWith(viewOf(held), 1)), 'You are disqualified: Two browsers.')
  assert.match(said(comparedWith(viewOf(held), 2)), /not here when a round started/)
  assert.equal(said(comparedWith(viewOf(held), 7)), 'You are not an entrant.')
})

test('a bye is explained', () => {
  const rounds = {
    1: { game: 'lucas', state: /** @type {const} */ ('drawn'), pairs: /** @type {[number, number][]} */ ([[2, 3]]), byes: [1] },
  }
  const held = tournament({ phase: 'drawn', round: 1, rounds, entrants: entrants(3) }, { format: 'knockout' })
  assert.equal(said(comparedWith(viewOf(held), 1)), 'You have a bye: you go on without a race.')
  const swiss = tournament({ phase: 'drawn', round: 1, rounds, entrants: entrants(3) }, { format: 'swiss' })
  assert.equal(said(comparedWith(viewOf(swiss), 1)), 'You have a bye: one point without a race.')
})

test('who did not start is out, also when the opponent did not, and then no semi-final has a race for the third place', () => {
  const pairs = /** @type {[number, number][]} */ ([
    [1, 4],
    [2, 3],
  ])
  const held = tournament({ phase: 'pause', round: 1, rounds: { 1: raced(pairs, [2]) } }, { format: 'knockout' })
  assert.deepEqual(
    [1, 2, 3, 4].map((seat) => isBeaten(held, seat)),
    [true, false, true, true],
  )
})

test('at the end, everybody is told their place among all who have one', () => {
  /** @type {any} */
  const over = {
    phase: 'over',
    round: 1,
    rounds: { 1: { state: 'confirmed' } },
    standings: [
      [1, 2, 25, []],
      [2, 1, 18, []],
      [null, 3, 0, []],
    ],
  }
  const told = (/** @type {any} */ held, /** @type {number} */ seat) => said(comparedWith(viewOf(tournament(held)), seat))
  assert.equal(told(over, 1), 'The tournament is over. You came 2nd of 2.')
  assert.equal(told(over, 4), 'The tournament is over.')
  const open = { ...over, rounds: { 1: { state: 'played' } } }
  assert.equal(told(open, 2), 'The tournament is over. You came 1st of 2. The results are still provisional.')
})
