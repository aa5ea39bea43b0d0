import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byesOf } from '../../../src/model/tournament/duels.js'
import { askable, askedBy, lastHalfBye } from '../../../src/model/tournament/rounds.js'
import { joined } from '../../helpers.js'
import { raced, tournament } from './views.js'

/** @import { Plan } from '../../../src/protocol/protocol.d.ts' */

const SWISS = /** @type {const} */ ({ format: 'swiss', rounds: 5, half_byes: 1 })

test('half-point byes end before the last round, or at the host’s limit', () => {
  const last = (/** @type {Partial<Plan>} */ plan) => lastHalfBye({ ...SWISS, ...plan })
  assert.deepEqual([last({}), last({ half_byes_until: 2 }), last({ half_byes_until: 30 })], [4, 2, 4])
  assert.deepEqual([last({ half_byes: 0 }), last({ format: 'points' })], [0, 0])
})

test('an entrant may ask for rounds before their draw, up to the limit', () => {
  const before = tournament({}, SWISS)
  assert.deepEqual(askable(before, 1), [1, 2, 3, 4])
  assert.deepEqual(askable({ ...before, half_byes: { 1: [2] } }, 1), [])
  assert.deepEqual(askedBy({ ...before, half_byes: { 1: [2] } }, 1), [2])
  assert.deepEqual(askable(tournament({ half_byes: { 1: [2] } }, { ...SWISS, half_byes: 2 }), 1), [1, 3, 4])
  const rounds = { 1: { ...raced('1-2', [1]), half_byes: [3] } }
  const after = tournament({ round: 1, phase: 'pause', rounds }, SWISS)
  assert.deepEqual(askable(after, 1), [2, 3, 4])
  assert.deepEqual(askable(after, 3), [])
  const skipped = { 1: { ...rounds[1], state: /** @type {const} */ ('skipped') } }
  assert.deepEqual(askable(tournament({ round: 1, phase: 'pause', rounds: skipped }, SWISS), 3), [2, 3, 4])
})

test('nobody may ask who is out, and entrants without a race have a reason', () => {
  const over = tournament({ phase: 'over' }, SWISS)
  assert.deepEqual(askable(over, 1), [])
  assert.deepEqual(askable(tournament({}, SWISS), 7), [])
  const rounds = { 1: { ...raced('1-2', [1], [4]), half_byes: [3] } }
  assert.equal(joined(byesOf(tournament({ round: 1, rounds }, SWISS)).map(({ seat, is }) => [seat, is])), '4,bye 3,half')
  assert.deepEqual(byesOf(tournament({}, SWISS)), [])
})
