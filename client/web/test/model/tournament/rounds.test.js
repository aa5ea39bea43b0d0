import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenLanes, isBlind, isCalledSoon, isDrawn, isHosting, opponentOf } from '../../../src/model/race/room-view.js'
import { isTooLate, nextRound, pairsFor, resultsOf, roundFor, waitsForAbsentHost } from '../../../src/model/tournament/rounds.js'
import { joined } from '../../helpers.js'
import { entrants, pairsOf, raced, tournament, viewOf } from './views.js'

/** @import { Tournament, View } from '../../../src/protocol/protocol.d.ts' */

test('results are in the order of places, and pairs stay together', () => {
  assert.equal(joined(resultsOf(raced('1-4 2-3', [4, 2])).map(([seat]) => seat)), '4 1 2 3')
  const field = {
    ...raced('', []),
    pairs: undefined,
    results: { 1: [null, 'did_not_start', 8, 0, 0, 0], 2: [2, 'stuck', 9, 3, 5, 18], 3: [1, 'solved', 104, 99, 5, 25] },
  }
  assert.equal(joined(resultsOf(/** @type {any} */ (field)).map(([seat]) => seat)), '3 2 1')
})

test('a repeated round is next, and differs for racers, byes and others', () => {
  assert.equal(nextRound(tournament({ round: 2 })), 3)
  assert.equal(nextRound(tournament({ round: 2, again: true })), 2)
  const round = raced('1-2', [1], [3])
  assert.equal(roundFor(round, 1).is, 'raced')
  assert.equal(roundFor(round, 3).is, 'bye')
  assert.equal(roundFor(round, 4).is, 'out')
  assert.deepEqual(roundFor({ ...round, results: {} }, 2), { is: 'ahead', met: 1 })
})

test('an active entrant without a bye is drawn', () => {
  const pairs = pairsOf('1-2')
  const event = tournament({ phase: 'drawn', round: 1, rounds: { 1: { game: 'lucas', state: 'drawn', pairs, byes: [3] } } })
  assert.equal([1, 2, 3, 4, 9].map((seat) => isDrawn(viewOf(event), seat)).join(' '), 'true true false false false')
  assert.equal([1, 2, 3].map((seat) => opponentOf(viewOf(event), seat)).join(' '), '2 1 0')
  const field = tournament({ phase: 'drawn', round: 1, rounds: { 1: { game: 'lucas', state: 'drawn' } }, entrants: entrants(2) })
  assert.equal([1, 2, 3].map((seat) => isDrawn(viewOf(field), seat)).join(' '), 'true true false')
})

test('co-hosts have the rights of hosts, and a round is blind until its end', () => {
  const hosted = viewOf(tournament({ co_hosts: [2] }))
  assert.equal([9, 2, 1, 0].map((seat) => isHosting(hosted, seat)).join(' '), 'true true false false')
  const view = viewOf(tournament({}, { blind: true }))
  assert.equal(isBlind(view), false)
  assert.equal(isBlind({ ...view, race: { ...view.race, starts_at: 5 } }), true)
  assert.equal(isBlind({ ...view, race: { ...view.race, starts_at: 5, over_at: 9 } }), false)
})

test('the opponent’s lane is below the player’s', () => {
  const lanes = /** @type {any[]} */ (
    [1, 2, 3, 4, 5, 6].map((seat) => ({ seat, state: 'racing', home: 60 - seat, place: null, ms: null }))
  )
  assert.equal(joined(chosenLanes(lanes, 2, 4, 6).map(({ lane }) => lane.seat)), '2 6 1 3')
})

test('a drawn entrant is called before the round, and the own pair is first', () => {
  const rounds = { 1: { ...raced('1-2', [], [3]), state: /** @type {const} */ ('drawn'), results: {} } }
  const drawn = viewOf(tournament({ phase: 'drawn', round: 1, rounds }))
  assert.equal([1, 2, 3, 9].map((seat) => isCalledSoon(drawn, seat)).join(' '), 'true true false false')
  assert.equal(isCalledSoon(viewOf(tournament({ phase: 'racing', round: 1, rounds })), 1), false)
  const round = raced('1-2 3-4', [1, 3])
  assert.deepEqual(pairsFor(round, 4), pairsOf('3-4 1-2'))
  assert.deepEqual(pairsFor(round, 0), pairsOf('1-2 3-4'))
})

test('only entrants of the first draw can return to a bracket', () => {
  const rounds = { 1: raced('1-2', [1], [3]) }
  const cup = tournament({ rounds }, { format: 'knockout' })
  assert.equal([1, 3, 4].map((seat) => isTooLate(cup, seat)).join(' '), 'false false true')
  assert.equal(isTooLate(tournament({ rounds }, { format: 'points' }), 4), false)
  assert.equal(isTooLate(tournament({}, { format: 'knockout' }), 4), false)
})

/** A view in which Ann hosts and Bob helps her. @param {number[]} here @param {Partial<Tournament>} [more] */
function hostedBy(here, more = {}) {
  const people = Object.fromEntries([1, 2, 3, 4].map((seat) => [seat, { here: here.includes(seat) }]))
  return /** @type {View} */ ({ ...viewOf(tournament({ co_hosts: [2], ...more })), host: 1, people })
}

test('a round waits for a host or a co-host, unless a timer starts it', () => {
  assert.equal(waitsForAbsentHost(hostedBy([3, 4])), true)
  assert.equal(waitsForAbsentHost(hostedBy([1, 3])), false)
  assert.equal(waitsForAbsentHost(hostedBy([2, 3])), false)
  assert.equal(waitsForAbsentHost({ ...hostedBy([3]), host: null }), true)
  assert.equal(waitsForAbsentHost(hostedBy([3], { next_at: 1000 })), false)
  assert.equal(waitsForAbsentHost(hostedBy([3], { next_at: 1000, paused: true })), true)
  assert.equal(waitsForAbsentHost(hostedBy([3], { phase: 'racing', round: 1 })), false)
  assert.equal(waitsForAbsentHost(hostedBy([3], { phase: 'over', paused: true })), false)
})
