import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bracketsOf, bracketWith, doubleStage } from '../../../src/model/tournament/double-view.js'
import { byesOf } from '../../../src/model/tournament/duels.js'
import { comparedWith, isBeaten, needed } from '../../../src/model/tournament/need.js'
import { pointsText, roundName, roundText, scoreHead } from '../../../src/model/tournament/words.js'
import { entrants, PLAN, raced, said, tournament, viewOf } from './views.js'

/**
 * @import { Tournament } from '../../../src/protocol/protocol.d.ts'
 * @import { Level } from '../../../src/model/tournament/bracket-places.js'
 */

/** Each match as two seats: 0 is no entrant, ? not known yet, ! has won. @param {Level[] | undefined} levels */
const drawnAs = (levels) =>
  levels?.map(({ matches }) =>
    matches.map(({ sides }) => sides.map(({ seat, empty, won }) => `${seat ?? (empty ? 0 : '?')}${won ? '!' : ''}`).join(' ')),
  )

/** The first rounds of the example of TOURNAMENTS.md. @param {number} count @param {Partial<Tournament>} [more] @param {object} [plan] */
function six(count, more = {}, plan = {}) {
  const all = [
    raced(
      [
        [4, 5],
        [3, 6],
      ],
      [4, 3],
      [1, 2],
    ),
    {
      ...raced(
        [
          [1, 4],
          [2, 3],
        ],
        [1, 2],
        [5, 6],
      ),
      lost: [5, 6],
    },
    {
      ...raced(
        [
          [3, 5],
          [4, 6],
        ],
        [3, 4],
        [1, 2],
      ),
      lost: [3, 4, 5, 6],
    },
    {
      ...raced(
        [
          [1, 2],
          [3, 4],
        ],
        [2, 3],
      ),
      lost: [3, 4],
    },
    { ...raced([[1, 3]], [1], [2]), lost: [1, 3] },
    { ...raced([[1, 2]], [1]), lost: [1] },
    { ...raced([[1, 2]], [1]), lost: [1, 2] },
  ]
  const rounds = Object.fromEntries(all.slice(0, count).map((round, n) => [n + 1, round]))
  const is = { phase: /** @type {const} */ ('pause'), round: count, rounds, entrants: entrants(6), rounds_planned: 7, ...more }
  return tournament(is, { format: 'double', ...plan })
}

test('before the first draw there are no brackets, and nobody is in one', () => {
  assert.equal(bracketsOf(tournament({}, { format: 'double' })), null)
  assert.equal(bracketWith(tournament({}, { format: 'double' }), 1), null)
  assert.equal(bracketsOf(tournament({ round: 1, rounds: { 1: raced([[1, 2]], [1]) } }, { format: 'knockout' })), null)
})

test('after the first round, the losers wait where they will meet those who lose next', () => {
  const { winners, losers } = bracketsOf(six(1)) ?? {}
  assert.deepEqual(drawnAs(winners), [['1! 0', '4! 5', '2! 0', '3! 6'], ['1 4', '2 3'], ['? ?'], ['? ?']])
  assert.deepEqual(drawnAs(losers), [['5 ?', '6 ?'], ['? ?'], ['? ?']], 'nobody can meet in its first round')
})

test('both brackets are drawn to the second final, which is there only when it is raced', () => {
  const { winners, losers } = bracketsOf(six(7, { phase: 'over' })) ?? {}
  assert.deepEqual(drawnAs(winners)?.slice(1), [['1! 4', '2! 3'], ['1 2!'], ['2 1!'], ['1! 2']])
  assert.deepEqual(drawnAs(losers), [['5 3!', '6 4!'], ['3! 4'], ['3 1!']])
  assert.equal(drawnAs(bracketsOf(six(6))?.winners)?.length, 5, 'both have lost once')
  assert.equal(drawnAs(bracketsOf(six(6, {}, { second_final: false }))?.winners)?.length, 4)
  assert.deepEqual(
    [...(winners ?? []), ...(losers ?? [])].map(({ name }) => roundText(name)),
    [
      ...['Winners’ round 1', 'Winners’ round 2', 'Winners’ final', 'Final', 'Second final'],
      ...['Losers’ round 2', 'Losers’ round 3', 'Losers’ final'],
    ],
  )
})

test('two who are left race the finals only', () => {
  const rounds = { 1: raced([[1, 2]], [1]) }
  const two = tournament({ phase: 'pause', round: 1, rounds, entrants: entrants(2) }, { format: 'double' })
  assert.deepEqual(drawnAs(bracketsOf(two)?.winners), [['1! 2'], ['1 2']])
  assert.deepEqual(bracketsOf(two)?.losers, [])
  assert.equal(bracketWith(two, 2), 'low')
})

test('of a pair in which nobody started nobody drops, and the next opponents go on', () => {
  const played = six(1)
  const none = { ...raced([[4, 5]], [], [1, 2]), ...raced([[3, 6]], [3], [1, 2]) }
  const pairs = /** @type {[number, number][]} */ ([
    [4, 5],
    [3, 6],
  ])
  const results = { ...raced([[4, 5]], []).results, ...none.results }
  const after = { ...played, rounds: { 1: { ...none, pairs, results } } }
  const { winners, losers } = bracketsOf(after) ?? {}
  assert.deepEqual(drawnAs(winners)?.slice(0, 2), [
    ['1! 0', '4 5', '2! 0', '3! 6'],
    ['1! 0', '2 3'],
  ])
  assert.deepEqual(drawnAs(losers), [['? 6'], ['? ?']], 'one of 2 and 3 drops without a race')
  assert.equal(bracketWith(after, 4), 'out')
})

test('somebody who has left lets others go on', () => {
  const gone = entrants(6)
  gone[4] = { ...gone[4], state: 'withdrawn' }
  assert.deepEqual(drawnAs(bracketsOf(six(1, { entrants: gone }))?.winners)?.[1], ['1! 4', '2 3'])
})

test('the finals have names, also before they are drawn', () => {
  assert.deepEqual(
    [5, 6, 7].map((number) => doubleStage(six(7), number)),
    ['round', 'final', 'second'],
  )
  assert.equal(doubleStage(six(5), 6), 'final')
  assert.equal(doubleStage(six(6), 7), 'second')
  assert.deepEqual(roundName(six(3), 4), { stage: 'round', number: 4 })
  assert.equal(doubleStage(tournament({}, { format: 'double' }), 1), 'round')
})

test('everybody is told in which bracket they are, and how many losses they have left', () => {
  const after = six(2)
  assert.equal(
    said(...needed(viewOf(after), 1)),
    'You are in the winners’ bracket. After a loss, you go on in the losers’ bracket.',
  )
  assert.equal(said(...needed(viewOf(after), 3)), 'You are in the losers’ bracket: one more loss and you are out.')
  assert.deepEqual(
    [3, 5].map((seat) => isBeaten(six(3), seat)),
    [false, true],
  )
  assert.equal(said(comparedWith(viewOf(six(3)), 5)), 'You are out of the cup. Stay and see who wins it.')
  const on = six(3, { phase: 'drawn' })
  assert.equal(said(comparedWith(viewOf(on), 1)), 'You do not race in this round: you wait for your next opponent.')
  assert.deepEqual(byesOf(on), [
    { seat: 1, is: 'wait' },
    { seat: 2, is: 'wait' },
  ])
  assert.equal(said(comparedWith(viewOf(six(1, { phase: 'drawn' })), 1)), 'You have a bye: you go on without a race.')
})

test('finalists are told how often they have to win', () => {
  const says = (/** @type {Tournament} */ held) => [1, 2].map((seat) => said(...needed(viewOf(held), seat)))
  const [low, up] = says(six(5))
  assert.equal(up, 'This is the final. Win, and the cup is yours. If you lose, there is a second one.')
  assert.equal(low, 'This is the final. You have lost once, so you have to win it and the second one.')
  assert.deepEqual(says(six(6)), Array(2).fill('This is the second final. Win, and the cup is yours.'))
  assert.deepEqual(says(six(5, {}, { second_final: false })), Array(2).fill('This is the final. Win, and the cup is yours.'))
  assert.deepEqual(needed(viewOf(six(5)), 4), [], 'who is out needs nothing')
})

test('the score is rounds that are passed', () => {
  const plan = { ...PLAN, format: /** @type {const} */ ('double') }
  assert.equal(scoreHead(plan), 'Passed')
  assert.equal(pointsText(plan, 6), '6 rounds passed')
})
