import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bracketsOf, bracketWith, levelNow, partsOf } from '../../../src/model/tournament/bracket.js'
import { byesOf } from '../../../src/model/tournament/duels.js'
import { comparedWith, isBeaten, needed } from '../../../src/model/tournament/need.js'
import { pointsText, roundName, scoreHead } from '../../../src/model/tournament/words.js'
import { joined } from '../../helpers.js'
import { entrants, eventOf, PLAN, raced, sidesAs, textOf, tournament, viewOf } from './views.js'

/** @import { Brackets, Level, Stage, Tournament } from '../../../src/protocol/protocol.d.ts' */

/** @param {Stage} stage @param {Level['matches']} matches @returns {Level} */
const level = (stage, ...matches) => ({ stage, matches })

test('a bracket has its sides, its winners and the match for third place', () => {
  assert.equal(bracketsOf(tournament({}, { format: 'knockout' })), null)
  const winners = { 1: level(['semi', 4], [1, 1, null, 1], [1, 2, 3, 0]), 2: level(['final', 2], [0, 1, 0, 0]) }
  const event = eventOf('knockout', 'drawn', [{ state: 'drawn' }], { brackets: { winners, losers: {}, third: [1, 4, 5, 5] } })
  const shown = bracketsOf(event)
  assert.deepEqual(sidesAs(shown?.winners), [['1! 0', '2 3'], ['1 ?']])
  assert.deepEqual(shown?.winners[0].name, { stage: 'semi', number: 4 })
  assert.equal(joined(shown?.winners.map(({ matches }) => matches.map(({ isOn }) => isOn)) ?? []), 'true,true false')
  assert.equal(shown?.third?.sides.map(({ seat, won }) => [seat, won]).join(' '), '4,false 5,true')
})

/** The double elimination of TOURNAMENTS.md. @param {number} count of its rounds @param {Partial<Tournament>} [more] @param {object} [plan] */
function six(count, more = {}, plan = {}) {
  const rounds = [
    raced('4-5 3-6', [4, 3], [1, 2]),
    { ...raced('1-4 2-3', [1, 2], [5, 6]), lost: [5, 6] },
    { ...raced('3-5 4-6', [3, 4], [1, 2]), lost: [3, 4, 5, 6] },
    { ...raced('1-2 3-4', [2, 3]), lost: [3, 4] },
    { ...raced('1-3', [1], [2]), lost: [1, 3] },
    { ...raced('1-2', [1]), lost: [1], stage: /** @type {Stage} */ (['final', 2]) },
    { ...raced('1-2', [1]), lost: [1, 2], stage: /** @type {Stage} */ (['second', 2]) },
  ]
  /** @type {Brackets} */
  const brackets = {
    winners: {
      1: level(['up', 1], [1, 1, null, 1], [1, 4, 5, 4], [1, 2, null, 2], [1, 3, 6, 3]),
      2: level(['up', 2], [2, 1, 4, 1], [2, 2, 3, 2]),
      3: level(['upper', 3], [4, 1, 2, 2]),
      4: level(['final', 2], [6, 2, 1, 1]),
      5: level(['second', 2], [7, 2, 1, 1]),
    },
    losers: {
      2: level(['low', 2], [3, 5, 3, 3], [3, 6, 4, 4]),
      3: level(['low', 3], [4, 3, 4, 3]),
      4: level(['lower', 4], [5, 3, 1, 1]),
    },
    third: null,
  }
  const next = rounds[count]?.stage
  const shown = { entrants: entrants(6), rounds_planned: 7, brackets, ...(next && { next_stage: next }), ...more }
  return eventOf('double', 'pause', rounds.slice(0, count), shown, plan)
}

test('an entrant is in the bracket of winners or of losers, or out', () => {
  const placesAfter = (/** @type {number} */ count, plan = {}) =>
    [1, 2, 3, 4, 5, 6].map((seat) => bracketWith(six(count, {}, plan), seat)).join(' ')
  assert.equal(bracketWith(tournament({}, { format: 'double' }), 1), null)
  assert.equal(placesAfter(1), 'up up up up low low')
  assert.equal(placesAfter(3), 'up up low low out out')
  assert.equal(placesAfter(6), 'low low out out out out')
  assert.equal(placesAfter(6, { second_final: false }), 'low out out out out out')
  assert.equal(placesAfter(7), 'low out out out out out')
})

test('finals have names, and the next one, too', () => {
  assert.equal([5, 6, 7].map((number) => roundName(six(7), number).stage).join(' '), 'round final second')
  assert.equal(roundName(six(5), 6).stage, 'final')
  assert.deepEqual(roundName(six(3), 4), { stage: 'round', number: 4 })
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
