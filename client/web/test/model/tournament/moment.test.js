import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../english.js'
import { momentOf } from '../../../src/model/tournament/moment.js'

/** @import { RoundResult } from '../../../src/protocol/protocol.d.ts' */

/** @param {number | null} place @param {number} home @returns {RoundResult} */
const result = (place, home) => [place, 'timed_out', home, 9, 0, 0]

/** @param {Record<number, RoundResult>} results @param {[number, number][]} [pairs] */
const after = (results, pairs = []) =>
  /** @type {any} */ ({
    plan: { format: pairs.length ? 'swiss' : 'points' },
    entrants: { 1: { name: 'Ann' }, 2: { name: 'Bob' } },
    rounds: { 1: { results, pairs } },
  })

test('a winner of a pair gets a gold medal and both results, and the other racer hears who won', () => {
  const tournament = after({ 1: result(1, 29), 2: result(2, 11) }, [[1, 2]])
  const won = momentOf(tournament, 1, 1)
  assert.deepEqual([won.saying.id, won.medal], ['tournament.moment.won', 1])
  assert.deepEqual(won.saying.with, { name: { name: 'Bob' }, mine: '29', theirs: '11' })
  const lost = momentOf(tournament, 1, 2)
  assert.deepEqual([lost.saying.id, lost.medal], ['tournament.moment.lost', null])
  const tie = after({ 1: result(1, 20), 2: result(1, 20) }, [[1, 2]])
  assert.equal(momentOf(tie, 1, 2).saying.id, 'tournament.moment.tied')
  const onTime = after({ 1: result(1, 20), 2: result(2, 20) }, [[1, 2]])
  assert.equal(momentOf(onTime, 1, 1).saying.id, 'tournament.moment.wonTie')
})

test('without pairs the place counts, and a racer without a place only hears that it is over', () => {
  const tournament = after({ 1: result(3, 29), 2: result(null, 8) })
  assert.deepEqual(momentOf(tournament, 1, 1), {
    saying: { id: 'tournament.moment.place', with: { place: 3, result: '29 cards' } },
    medal: 3,
  })
  assert.deepEqual(momentOf(tournament, 1, 2).medal, null)
  const nothing = momentOf(after({ 1: result(1, 0), 2: result(1, 0) }), 1, 1)
  assert.deepEqual([nothing.saying.id, nothing.medal], ['race.ready.over', null], 'nobody brought a card home')
})
