import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitsForAbsentHost } from '../../../src/model/tournament/hosts.js'
import { tournament, viewOf } from './views.js'

/** @import { Tournament, View } from '../../../src/protocol/protocol.d.ts' */

/** A view in which Ann hosts and Bob helps her. @param {number[]} here @param {Partial<Tournament>} [more] */
function hostedBy(here, more = {}) {
  const people = Object.fromEntries([1, 2, 3, 4].map((seat) => [seat, { here: here.includes(seat) }]))
  return /** @type {View} */ ({ ...viewOf(tournament({ co_hosts: [2], ...more })), host: 1, people })
}

test('a round waits in vain while neither the host nor a co-host is here', () => {
  assert.equal(waitsForAbsentHost(hostedBy([3, 4])), true)
  assert.equal(waitsForAbsentHost(hostedBy([1, 3])), false)
  assert.equal(waitsForAbsentHost(hostedBy([2, 3])), false)
  assert.equal(waitsForAbsentHost({ ...hostedBy([3]), host: null }), true)
})

test('nobody has to be here for what a timer starts, and at the end', () => {
  assert.equal(waitsForAbsentHost(hostedBy([3], { next_at: 1000 })), false)
  assert.equal(waitsForAbsentHost(hostedBy([3], { next_at: 1000, paused: true })), true)
  assert.equal(waitsForAbsentHost(hostedBy([3], { phase: 'racing', round: 1 })), false)
  assert.equal(waitsForAbsentHost(hostedBy([3], { phase: 'over', paused: true })), false)
})
