import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparedWith, finalPlace, isBeaten, needed } from '../../../src/model/tournament/need.js'
import { joined } from '../../helpers.js'
import { drawn, entrant, entrants, eventOf, raced, textOf, tournament, viewOf } from './views.js'

/** @import { Stage, Standing, Tournament } from '../../../src/protocol/protocol.d.ts' */

/** @param {Tournament} event @param {number} seat */
const needs = (event, seat) => textOf(...needed(viewOf(event), seat))
/** @param {Tournament} event @param {number} seat */
const compared = (event, seat) => textOf(comparedWith(viewOf(event), seat))

/** @param {[place: number | null, seat: number, points: number][]} rows */
const standing = (...rows) => ({ standings: rows.map((row) => /** @type {Standing} */ ([...row, []])) })

const PLAYED = { game: 'lucas', state: /** @type {const} */ ('played') }

test('an entrant learns the distance to the next or from the second', () => {
  const after = eventOf('points', 'pause', [PLAYED], standing([1, 1, 25], [2, 2, 18], [3, 3, 7.5], [3, 4, 7.5]))
  const toGo = '2 rounds to go, 25 for each win.'
  assert.equal(needs(after, 1), `You lead with 25 points, 7 ahead of Bob. ${toGo}`)
  assert.equal(needs(after, 2), `You are 2nd with 18 points, 7 behind Ann (1st). ${toGo}`)
  assert.equal(needs(after, 3), `You are 3rd with 7½ points, 10½ behind Bob (2nd). ${toGo}`)
})

test('before the first round there is only the value of a win', () => {
  const first = eventOf('points', 'drawn', [{ game: 'lucas', state: 'drawn' }])
  assert.equal(needs(first, 2), 'First place gives 25 points.')
  assert.equal(compared(first, 2), 'You race against everyone.')
  assert.deepEqual(needed(viewOf(tournament({})), 2), [])
})

test('an entrant learns the opponent and the value of a win, or the bye', () => {
  const rounds = [raced('1-2 3-4', [1, 3]), { ...drawn('1-3 2-4'), state: /** @type {const} */ ('racing') }]
  const swiss = eventOf('swiss', 'racing', rounds, standing([1, 1, 1], [1, 3, 1], [3, 2, 0], [3, 4, 0]))
  assert.equal(compared(swiss, 1), 'You race against Cleo.')
  assert.match(needs(swiss, 1), /You are 1st with 1 point, tied with Cleo. Your opponent has 1 point. A win gives 1/)
  const before = tournament({ half_byes: { 2: [1], 3: [2] } }, { format: 'swiss', half_byes: 1 })
  assert.equal(compared(before, 2), 'You sit out the next round for half a point.')
  assert.match(compared(before, 3), /Your opponent is drawn/)
  const now = eventOf('swiss', 'drawn', [{ ...drawn('1-3'), half_byes: [2] }], {}, { half_byes: 1 })
  assert.equal(compared(now, 2), 'You have a half-point bye: half a point without a race.')
})

test('in a knock-out an entrant learns what a win is for', () => {
  /** @param {string} pairs @param {Stage} stage */
  const at = (pairs, stage) => ({ ...drawn(pairs), stage })
  const semi = eventOf('knockout', 'drawn', [at('1-4 2-3', ['semi', 4])], { rounds_planned: 2 })
  assert.equal(needs(semi, 1), 'Win to reach the final.')
  const final = eventOf('knockout', 'drawn', [raced('1-4 2-3', [1, 2]), at('1-2 3-4', ['final', 2])], { rounds_planned: 2 })
  assert.equal(needs(final, 1), 'This is the final. Win, and the cup is yours.')
  assert.equal(needs(final, 4), 'Win to take third place.')
})

/** The entrants that are out. @param {Tournament} event */
const beaten = (event) => joined(Object.keys(event.entrants ?? {}).filter((seat) => isBeaten(event, Number(seat))))

test('a loser is out, unless there is a race for third place', () => {
  const quarter = eventOf('knockout', 'pause', [raced('1-8 4-5 2-7 3-6', [1, 4, 2, 3])], { entrants: entrants(8) })
  assert.equal(beaten(quarter), '5 6 7 8')
  const semi = eventOf('knockout', 'pause', [raced('1-4 2-3', [1, 2])])
  assert.equal(beaten(semi), '')
  assert.equal(beaten({ ...semi, plan: { ...semi.plan, third_place: false } }), '3 4')
  const noShows = eventOf('knockout', 'pause', [raced('1-4 2-3', [2])])
  assert.equal(beaten(noShows), '1 3 4', 'of two no-shows both are out, and nobody is left to race for third place')
})

test('an entrant who is out or has a bye learns why', () => {
  const out = { 1: entrant('Ann', 'disqualified', 'Two browsers.'), 2: entrant('Bob', 'withdrawn', 'no_show') }
  const event = tournament({ phase: 'pause', round: 1, entrants: out })
  assert.equal(compared(event, 1), 'You are disqualified: Two browsers.')
  assert.match(compared(event, 2), /missed the start of a round/)
  assert.equal(compared(event, 7), 'You are not an entrant.')
  const bye = (/** @type {'knockout' | 'swiss'} */ format) =>
    compared(eventOf(format, 'drawn', [drawn('2-3', [1])], { entrants: entrants(3) }), 1)
  assert.equal(bye('knockout'), 'You have a bye: you go on without a race.')
  assert.equal(bye('swiss'), 'You have a bye: one point without a race.')
})

test('at the end an entrant learns the place among all with one', () => {
  const over = (/** @type {'confirmed' | 'played'} */ state) =>
    eventOf('points', 'over', [{ state }], standing([1, 2, 25], [2, 1, 18], [null, 3, 0]))
  assert.equal(compared(over('confirmed'), 1), 'The tournament is over. You came 2nd of 2.')
  assert.equal(compared(over('confirmed'), 4), 'The tournament is over.')
  assert.equal(compared(over('played'), 2), 'The tournament is over. You came 1st of 2. The results are still provisional.')
})

test('after the last round, an entrant with a place hears it with the points', () => {
  /** @type {any} */
  const tournament = { plan: { format: 'points' }, phase: 'over', standings: [[1, 2, 12, []], [2, 1, 8, []], [null, 3, 0, []]] } // biome-ignore format: rows
  const [saying] = finalPlace(tournament, 1)
  assert.deepEqual([saying?.id, saying?.with], ['tournament.need.alone', { place: 2, score: '8', count: 8 }])
  assert.deepEqual([finalPlace(tournament, 3), finalPlace({ ...tournament, phase: 'pause' }, 1)], [[], []])
})
