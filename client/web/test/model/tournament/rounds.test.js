import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenLanes, isBlind, isCalledSoon, isDrawn, isHosting, opponentOf } from '../../../src/model/race/room-view.js'
import { groupsOf } from '../../../src/model/tournament/desk.js'
import { byesOf } from '../../../src/model/tournament/duels.js'
import * as facts from '../../../src/model/tournament/rounds.js'
import { checkInText } from '../../../src/model/tournament/words.js'
import { joined } from '../../helpers.js'
import { entrant, entrants, pairsOf, raced, tournament, viewOf } from './views.js'

/** @import { Plan, Tournament, View } from '../../../src/protocol/protocol.d.ts' */

test('results are in the order of places, and pairs stay together', () => {
  assert.equal(joined(facts.resultsOf(raced('1-4 2-3', [4, 2])).map(([seat]) => seat)), '4 1 2 3')
  const results = { 1: [null, 'did_not_start', 8, 0, 0, 0], 2: [2, 'stuck', 9, 3, 5, 18], 3: [1, 'solved', 104, 99, 5, 25] }
  const field = /** @type {any} */ ({ ...raced('', []), pairs: undefined, results })
  assert.equal(joined(facts.resultsOf(field).map(([seat]) => seat)), '3 2 1')
})

test('a repeated round is next, and differs for racers, byes and others', () => {
  assert.equal(facts.nextRound(tournament({ round: 2 })), 3)
  assert.equal(facts.nextRound(tournament({ round: 2, again: true })), 2)
  const round = raced('1-2', [1], [3])
  assert.equal(facts.roundFor(round, 1).is, 'raced')
  assert.equal(facts.roundFor(round, 3).is, 'bye')
  assert.equal(facts.roundFor(round, 4).is, 'out')
  assert.deepEqual(facts.roundFor({ ...round, results: {} }, 2), { is: 'ahead', met: 1 })
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

test('the opponent’s lane is always shown', () => {
  const lanes = /** @type {any[]} */ (
    [1, 2, 3, 4, 5, 6].map((seat) => ({ seat, state: 'racing', home: 60 - seat, place: null, ms: null }))
  )
  assert.equal(joined(chosenLanes(lanes, 2, 4, 6).map(({ lane }) => lane.seat)), '1 2 3 6')
})

test('a drawn entrant is called before the round, and the own pair is first', () => {
  const rounds = { 1: { ...raced('1-2', [], [3]), state: /** @type {const} */ ('drawn'), results: {} } }
  const drawn = viewOf(tournament({ phase: 'drawn', round: 1, rounds }))
  assert.equal([1, 2, 3, 9].map((seat) => isCalledSoon(drawn, seat)).join(' '), 'true true false false')
  assert.equal(isCalledSoon(viewOf(tournament({ phase: 'racing', round: 1, rounds })), 1), false)
  const round = raced('1-2 3-4', [1, 3])
  assert.deepEqual(facts.pairsFor(round, 4), pairsOf('3-4 1-2'))
  assert.deepEqual(facts.pairsFor(round, 0), pairsOf('1-2 3-4'))
})

test('only entrants of the first draw can return to a bracket', () => {
  const rounds = { 1: raced('1-2', [1], [3]) }
  const cup = tournament({ rounds }, { format: 'knockout' })
  assert.equal([1, 3, 4].map((seat) => facts.isTooLate(cup, seat)).join(' '), 'false false true')
  assert.equal(facts.isTooLate(tournament({ rounds }, { format: 'points' }), 4), false)
  assert.equal(facts.isTooLate(tournament({}, { format: 'knockout' }), 4), false)
})

/** A view in which Ann hosts and Bob helps her. @param {number[]} here @param {Partial<Tournament>} [more] */
function hostedBy(here, more = {}) {
  const people = Object.fromEntries([1, 2, 3, 4].map((seat) => [seat, { here: here.includes(seat) }]))
  return /** @type {View} */ ({ ...viewOf(tournament({ co_hosts: [2], ...more })), host: 1, people })
}

test('a round waits for a host or a co-host, unless a timer starts it', () => {
  assert.equal(facts.waitsForAbsentHost(hostedBy([3, 4])), true)
  assert.equal(facts.waitsForAbsentHost(hostedBy([1, 3])), false)
  assert.equal(facts.waitsForAbsentHost(hostedBy([2, 3])), false)
  assert.equal(facts.waitsForAbsentHost({ ...hostedBy([3]), host: null }), true)
  assert.equal(facts.waitsForAbsentHost(hostedBy([3], { next_at: 1000 })), false)
  assert.equal(facts.waitsForAbsentHost(hostedBy([3], { next_at: 1000, paused: true })), true)
  assert.equal(facts.waitsForAbsentHost(hostedBy([3], { phase: 'racing', round: 1 })), false)
  assert.equal(facts.waitsForAbsentHost(hostedBy([3], { phase: 'over', paused: true })), false)
})

const SWISS = /** @type {const} */ ({ format: 'swiss', rounds: 5, half_byes: 1 })

test('half-point byes end before the last round, or at the host’s limit', () => {
  const last = (/** @type {Partial<Plan>} */ plan) => facts.lastHalfBye({ ...SWISS, ...plan })
  assert.deepEqual([last({}), last({ half_byes_until: 2 }), last({ half_byes_until: 30 })], [4, 2, 4])
  assert.deepEqual([last({ half_byes: 0 }), last({ format: 'points' })], [0, 0])
})

test('an entrant may ask for rounds before their draw, up to the limit', () => {
  const before = tournament({}, SWISS)
  assert.deepEqual(facts.askable(before, 1), [1, 2, 3, 4])
  assert.deepEqual(facts.askable({ ...before, half_byes: { 1: [2] } }, 1), [])
  assert.deepEqual(facts.askedBy({ ...before, half_byes: { 1: [2] } }, 1), [2])
  assert.deepEqual(facts.askable(tournament({ half_byes: { 1: [2] } }, { ...SWISS, half_byes: 2 }), 1), [1, 3, 4])
  const rounds = { 1: { ...raced('1-2', [1]), half_byes: [3] } }
  const after = tournament({ round: 1, phase: 'pause', rounds }, SWISS)
  assert.deepEqual(facts.askable(after, 1), [2, 3, 4])
  assert.deepEqual(facts.askable(after, 3), [])
  const skipped = { 1: { ...rounds[1], state: /** @type {const} */ ('skipped') } }
  assert.deepEqual(facts.askable(tournament({ round: 1, phase: 'pause', rounds: skipped }, SWISS), 3), [2, 3, 4])
})

test('nobody may ask who is out, and entrants without a race have a reason', () => {
  const over = tournament({ phase: 'over' }, SWISS)
  assert.deepEqual(facts.askable(over, 1), [])
  assert.deepEqual(facts.askable(tournament({}, SWISS), 7), [])
  const rounds = { 1: { ...raced('1-2', [1], [4]), half_byes: [3] } }
  assert.equal(joined(byesOf(tournament({ round: 1, rounds }, SWISS)).map(({ seat, is }) => [seat, is])), '4,bye 3,half')
  assert.deepEqual(byesOf(tournament({}, SWISS)), [])
})

const MINUTE = 60_000
const times = { opens: 60 * MINUTE, ends: 120 * MINUTE, over: false, here: { 1: true, 3: true } }
const event = tournament({ check_in: times, entrants: { ...entrants(4), 3: entrant('Cleo', 'withdrawn', 'left') } })

test('check-in opens, has a time left, and ends', () => {
  const textAt = (/** @type {number} */ now) => checkInText(facts.checkInOf(event, now), now)
  assert.match(textAt(0), /^Check-in opens at /)
  assert.equal(textAt(110 * MINUTE), 'Check in: 10:00 left')
  const is = (/** @type {Partial<Tournament>} */ some) => facts.checkInOf(tournament(/** @type {any} */ (some)), 0)?.is
  assert.deepEqual([is({ check_in: { ...times, over: true } }), is({})], ['over', undefined])
  assert.equal(is({ check_in: { ...times, opens: null, ends: null } }), 'unknown')
  assert.equal(is({ check_in: times, round: 1 }), undefined)
})

test('hosts see who is here and who is missing, also after the end', () => {
  assert.deepEqual(facts.presenceOf(event), { here: [1], missing: [2, 4] })
  const ended = { ...event.entrants, 4: entrant('Dan', 'withdrawn', 'check_in') }
  const over = tournament({ check_in: { ...times, over: true }, entrants: ended })
  assert.deepEqual(groupsOf(viewOf(over)).missing, [2, 4])
  assert.deepEqual(facts.presenceOf(tournament({})), { here: [], missing: [] })
  assert.equal(facts.isCheckedIn(event, 2), false)
})
