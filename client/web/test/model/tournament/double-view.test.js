import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bracketsOf, bracketWith, doubleStage } from '../../../src/model/tournament/double-view.js'
import { byesOf } from '../../../src/model/tournament/duels.js'
import { comparedWith, isBeaten, needed } from '../../../src/model/tournament/need.js'
import { pointsText, roundName, roundText, scoreHead } from '../../../src/model/tournament/words.js'
import { joined } from '../../helpers.js'
import { entrants, eventOf, PLAN, pairsOf, raced, sidesAs, textOf, tournament, viewOf } from './views.js'

/** @import { Tournament } from '../../../src/protocol/protocol.d.ts' */

/** The first rounds of the example of TOURNAMENTS.md. @param {number} count @param {Partial<Tournament>} [more] @param {object} [plan] */
function six(count, more = {}, plan = {}) {
  const rounds = [
    raced('4-5 3-6', [4, 3], [1, 2]),
    { ...raced('1-4 2-3', [1, 2], [5, 6]), lost: [5, 6] },
    { ...raced('3-5 4-6', [3, 4], [1, 2]), lost: [3, 4, 5, 6] },
    { ...raced('1-2 3-4', [2, 3]), lost: [3, 4] },
    { ...raced('1-3', [1], [2]), lost: [1, 3] },
    { ...raced('1-2', [1]), lost: [1] },
    { ...raced('1-2', [1]), lost: [1, 2] },
  ]
  return eventOf('double', 'pause', rounds.slice(0, count), { entrants: entrants(6), rounds_planned: 7, ...more }, plan)
}

test('brackets begin with the draw, and losers wait for the next losers', () => {
  assert.equal(bracketsOf(tournament({}, { format: 'double' })), null)
  assert.equal(bracketWith(tournament({}, { format: 'double' }), 1), null)
  assert.equal(bracketsOf(eventOf('knockout', 'pause', [raced('1-2', [1])])), null)
  const { winners, losers } = bracketsOf(six(1)) ?? {}
  assert.deepEqual(sidesAs(winners), [['1! 0', '4! 5', '2! 0', '3! 6'], ['1 4', '2 3'], ['? ?'], ['? ?']])
  assert.deepEqual(sidesAs(losers), [['5 ?', '6 ?'], ['? ?'], ['? ?']], 'nobody can meet in its first round')
})

test('both brackets lead to the second final, if it is raced', () => {
  const { winners, losers } = bracketsOf(six(7, { phase: 'over' })) ?? {}
  assert.deepEqual(sidesAs(winners)?.slice(1), [['1! 4', '2! 3'], ['1 2!'], ['2 1!'], ['1! 2']])
  assert.deepEqual(sidesAs(losers), [['5 3!', '6 4!'], ['3! 4'], ['3 1!']])
  assert.equal(sidesAs(bracketsOf(six(6))?.winners)?.length, 5, 'both have lost once')
  assert.equal(sidesAs(bracketsOf(six(6, {}, { second_final: false }))?.winners)?.length, 4)
  const names = (/** @type {typeof winners} */ levels = []) =>
    joined(
      levels.map(({ name }) => roundText(name)),
      ', ',
    )
  assert.equal(names(winners), 'Winners’ round 1, Winners’ round 2, Winners’ final, Final, Second final')
  assert.equal(names(losers), 'Losers’ round 2, Losers’ round 3, Losers’ final')
})

test('two entrants race only the finals', () => {
  const two = eventOf('double', 'pause', [raced('1-2', [1])], { entrants: entrants(2) })
  assert.deepEqual(sidesAs(bracketsOf(two)?.winners), [['1! 2'], ['1 2']])
  assert.deepEqual(bracketsOf(two)?.losers, [])
  assert.equal(bracketWith(two, 2), 'low')
})

test('of two no-shows nobody drops, and the next opponents go on', () => {
  const played = six(1)
  const none = { ...raced('4-5', [], [1, 2]), ...raced('3-6', [3], [1, 2]) }
  const pairs = pairsOf('4-5 3-6')
  const results = { ...raced('4-5', []).results, ...none.results }
  const after = { ...played, rounds: { 1: { ...none, pairs, results } } }
  const { winners, losers } = bracketsOf(after) ?? {}
  assert.equal(joined(sidesAs(winners)?.slice(0, 2) ?? [], '; '), '1! 0,4 5,2! 0,3! 6; 1! 0,2 3')
  assert.deepEqual(sidesAs(losers), [['? 6'], ['? ?']], 'one of 2 and 3 drops without a race')
  assert.equal(bracketWith(after, 4), 'out')
})

test('an absent entrant lets the opponent go on, and finals have names', () => {
  const gone = entrants(6)
  gone[4] = { ...gone[4], state: 'withdrawn' }
  assert.deepEqual(sidesAs(bracketsOf(six(1, { entrants: gone }))?.winners)?.[1], ['1! 4', '2 3'])
  assert.equal([5, 6, 7].map((number) => doubleStage(six(7), number)).join(' '), 'round final second')
  assert.equal(doubleStage(six(5), 6), 'final')
  assert.equal(doubleStage(six(6), 7), 'second')
  assert.deepEqual(roundName(six(3), 4), { stage: 'round', number: 4 })
  assert.equal(doubleStage(tournament({}, { format: 'double' }), 1), 'round')
})

test('each entrant learns the bracket, and the losses that are left', () => {
  const after = six(2)
  const [up, low] = [1, 3].map((seat) => textOf(...needed(viewOf(after), seat)))
  assert.equal(up, 'You are in the winners’ bracket. After a loss, you go on in the losers’ bracket.')
  assert.equal(low, 'You are in the losers’ bracket: one more loss and you are out.')
  assert.equal([3, 5].map((seat) => isBeaten(six(3), seat)).join(' '), 'false true')
  assert.equal(textOf(comparedWith(viewOf(six(3)), 5)), 'You are out of the cup. Stay and see who wins it.')
  const on = six(3, { phase: 'drawn' })
  assert.equal(textOf(comparedWith(viewOf(on), 1)), 'You wait for your next opponent. No race in this round.')
  assert.equal(joined(byesOf(on).map(({ seat, is }) => [seat, is])), '1,wait 2,wait')
  assert.equal(textOf(comparedWith(viewOf(six(1, { phase: 'drawn' })), 1)), 'You have a bye: you go on without a race.')
})

test('finalists learn how often they have to win, and the score counts rounds', () => {
  const says = (/** @type {Tournament} */ event) => [1, 2].map((seat) => textOf(...needed(viewOf(event), seat)))
  const [low, up] = says(six(5))
  assert.equal(up, 'This is the final. Win, and the cup is yours. If you lose, there is a second one.')
  assert.equal(low, 'This is the final. You have lost once: win it, then win again.')
  assert.deepEqual(says(six(6)), Array(2).fill('This is the second final. Win, and the cup is yours.'))
  assert.deepEqual(says(six(5, {}, { second_final: false })), Array(2).fill('This is the final. Win, and the cup is yours.'))
  assert.deepEqual(needed(viewOf(six(5)), 4), [], 'who is out needs nothing')
  const plan = { ...PLAN, format: /** @type {const} */ ('double') }
  assert.equal(scoreHead(plan), 'Passed')
  assert.equal(pointsText(plan, 6), '6 rounds passed')
})
