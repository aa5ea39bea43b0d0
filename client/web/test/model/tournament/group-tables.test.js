import assert from 'node:assert/strict'
import { test } from 'node:test'
import { correctable, swappable, waysOf } from '../../../src/model/tournament/desk.js'
import * as tables from '../../../src/model/tournament/group-tables.js'
import { comparedWith, isBeaten, needed } from '../../../src/model/tournament/need.js'
import { duelText, roundName, stageText } from '../../../src/model/tournament/words.js'
import { joined } from '../../helpers.js'
import { entrant, entrants, eventOf, raced, textOf, tournament, viewOf } from './views.js'

/** @import { Stage, Standing, Tournament } from '../../../src/protocol/protocol.d.ts' */

const PLAN = /** @type {const} */ ({ format: 'roundrobin', groups: 2, advance: 2 })

// The example of TOURNAMENTS.md: Dan (seat 4) left after the first round. Its groups are 1, 4, 5 and 2, 3, 6.
const ROUNDS = [
  raced('4-5 3-6', [4, 3], [1, 2]),
  { ...raced('2-3', [2], [5, 1, 6]), walkovers: /** @type {[number, number][]} */ ([[1, 4]]) },
  raced('1-5 2-6', [1, 2], [3]),
  { ...raced('1-3 2-5', [1, 2]), stage: /** @type {Stage} */ (['semi', 4]) },
  { ...raced('1-2 5-3', [1, 3]), stage: /** @type {Stage} */ (['final', 2]) },
]
/** By the number of rounds, who comes next. @type {Partial<Tournament>[]} */
const NEXT = [
  {},
  { coming: { 1: 0, 2: 3, 3: 2, 4: 1, 5: 0, 6: 0 } },
  {},
  { next_stage: ['semi', 4] },
  { next_stage: ['final', 2] },
]
const STANDINGS = [1, 1, 3, 3, 5, 5].map((place, at) => /** @type {Standing} */ ([place, at + 1, (5 - place) / 2, []]))

/** @param {number} round @param {Partial<Tournament>} [more] */
const after = (round, more = {}) => {
  const all = { ...entrants(6), 4: entrant('Dan', 'withdrawn', 'left') }
  const groups = [
    [1, 4, 5],
    [2, 3, 6],
  ]
  const event = { rounds_planned: 5, entrants: all, standings: STANDINGS, groups, ...NEXT[round], ...more }
  return eventOf('roundrobin', 'pause', ROUNDS.slice(0, round), event, PLAN)
}

test('a group has a row for each entrant, with results without a race', () => {
  const [a, b] = tables.groupTables(after(3))
  assert.deepEqual([a.letter, b.letter], ['A', 'B'])
  const shown = (/** @type {typeof a} */ { rows }) =>
    joined(rows.map(({ seat, place, cells }) => [seat, place, cells.map(duelText).join('|')]))
  assert.equal(shown(a), '1,1,|+|1 4,2,−||1 5,3,0|0|')
  assert.equal(shown(b), '2,1,|1|1 3,2,0||1 6,3,0|0|')
  assert.equal(joined(tables.byPlace(b.rows).map(({ seat }) => seat)), '2 3 6')
  assert.deepEqual(tables.groupTables(tournament({}, PLAN)), [])
})

test('those who go on are marked, and results that do not count are in brackets', () => {
  const event = after(3)
  const [a, b] = tables.groupTables(event)
  const going = (/** @type {typeof a} */ { rows }) =>
    rows.map(({ seat }) => seat).filter((seat) => tables.goesOn(event, rows, seat))
  assert.equal([going(a), going(b)].join(' '), '1,5 2,3')
  const annulled = after(3, { standings: [...STANDINGS.filter(([, seat]) => seat !== 4), [null, 4, 0, []]] })
  const [table] = tables.groupTables(annulled)
  assert.deepEqual(table.rows[2].cells.map(duelText), ['0', '(0)', ''])
  assert.equal(table.rows[1].place, null)
  assert.equal(table.rows[0].cells.map(duelText).join('|'), '||1')
})

test('the rounds of the knock-out have their own names', () => {
  const event = after(5)
  assert.equal([1, 2, 3, 4, 5].map((number) => tables.isCupRound(event, number)).join(' '), 'false false false true true')
  assert.equal([3, 4, 5].map((number) => roundName(event, number).stage).join(' '), 'round semi final')
  assert.equal(roundName(after(3), 4).stage, 'semi', 'the next one has its name already')
  assert.equal(roundName(after(2), 3).stage, 'round')
  assert.match(stageText(after(4)), /^Semi-final/)
  assert.match(stageText(after(2)), /^Round 2 of 5/)
  assert.equal([after(3), after(4)].map(tables.hasCup).join(' '), 'false true')
})

test('an entrant learns the place in the group and the next opponent', () => {
  const view = (/** @type {number} */ round) => viewOf(after(round))
  assert.equal(textOf(comparedWith(view(1), 2)), 'You meet Cleo in the next round.')
  assert.equal(textOf(comparedWith(view(1), 6)), 'You have a bye in the next round.')
  assert.equal(textOf(...needed(view(1), 3)), 'You are 2nd in group B with 1 point. The best 2 go on.')
  assert.equal(textOf(comparedWith(view(1), 1)), 'You have a bye in the next round.', 'who would be the opponent has left')
  assert.equal(textOf(comparedWith(view(4), 6)), 'You did not reach the knock-out. Stay and see who wins.')
  assert.ok(!isBeaten(after(4), 6), 'who was never in it has not lost in it')
  assert.ok(!isBeaten(after(4), 3), 'there is the race for the third place')
})

test('an entrant without an opponent learns why', () => {
  const on = (/** @type {number} */ round) => viewOf(after(round, { phase: 'racing' }))
  assert.match(textOf(comparedWith(on(2), 5)), /^You have a bye in this round\. Everybody/)
  assert.match(textOf(comparedWith(on(2), 1)), /^Your opponent has left/)
  assert.equal([5, 1].map((seat) => tables.isTableBye(after(2), seat)).join(' '), 'true false')
  assert.match(textOf(comparedWith(on(5), 6)), /^You did not reach/)
  assert.equal(textOf(...needed(on(4), 1)), 'Win to reach the final.')
  assert.equal(textOf(...needed(on(5), 3)), 'Win to take third place.')
})

test('hosts can correct results of groups until the knock-out is drawn', () => {
  assert.deepEqual(correctable(after(3), 3), [2, 1])
  assert.deepEqual(correctable(after(4), 3), [4])
  assert.ok(waysOf(after(3), 1).includes('tied'))
  assert.ok(!waysOf(after(4), 4).includes('tied'))
  assert.deepEqual(swappable({ ...after(2), phase: 'drawn' }, 2), [])
})
