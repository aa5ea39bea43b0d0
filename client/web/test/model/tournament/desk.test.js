import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as desk from '../../../src/model/tournament/desk.js'
import { drawn, entrant, entrants, eventOf, raced, tournament, viewOf } from './views.js'

const here = { name: '', bot: false, here: true, ready: false, since: 0, team: '', board: 0 }

test('the desk groups racers, absent entrants and no-shows', () => {
  const gone = { 2: entrant('Bob', 'withdrawn', 'no_show'), 3: entrant('Cleo', 'disqualified', 'Two browsers.') }
  const event = tournament({ phase: 'racing', round: 1, entrants: { ...entrants(5), ...gone } })
  const view = viewOf(event)
  view.people = { 1: here, 4: { ...here, here: false }, 9: here }
  const racer = { name: '', state: /** @type {const} */ ('racing') }
  view.race.racers = { 1: racer, 4: racer, 5: { ...racer, gave_up_at: 9 } }
  const { all, racing, away, noShow, out, ...none } = desk.groupsOf(view)
  assert.deepEqual([all, racing, away, noShow, out], [[1, 2, 3, 4, 5, 9], [1, 4], [4, 5], [2], [3]])
  assert.deepEqual(none, { missing: [], here: [], noTeam: [], halfBye: [] })
  view.tournament = { ...event, phase: 'pause' }
  assert.deepEqual(desk.groupsOf(view).racing, [])
  view.tournament = { ...event, plan: { ...event.plan, team_size: 2 } }
  assert.deepEqual(desk.groupsOf(view).noTeam, [1, 4, 5])
})

test('unclaimed names of a list are counted', () => {
  assert.equal(desk.unclaimedOf(tournament({ entrants: entrants(3) }, { entry: 'list', listed: 7 }), 9), 4)
  assert.equal(desk.unclaimedOf(tournament({ entrants: entrants(3) }, { entry: 'list', listed: 7 }), 1), 5)
  assert.equal(desk.unclaimedOf(tournament({ entrants: entrants(3) }), 9), 0)
})

test('hosts can correct finished rounds, in a knock-out only the last one', () => {
  const rounds = [raced('1-2', [1]), raced('1-2', [1])]
  const skipped = eventOf('points', 'pause', [...rounds, { ...raced('1-3', [1]), state: 'skipped' }])
  assert.deepEqual([desk.correctable(skipped, 1), desk.correctable(skipped, 3)], [[2, 1], []])
  assert.deepEqual(desk.correctable(eventOf('knockout', 'pause', rounds), 1), [2])
})

test('a pair is corrected on both sides, with points from 0 to 1000', () => {
  assert.equal(JSON.stringify([desk.givenOf(4, 5, 'lost'), desk.givenOf(4, 5, 'raced')]), '[[[4,0],[5,1]],[[4,null],[5,null]]]')
  assert.ok(!desk.waysOf(tournament({}, { format: 'knockout' }), 1).includes('tied'))
  assert.deepEqual(['', ' 12,25 ', '1000', '0'].map(desk.pointsGiven), [null, 12.25, 1000, 0])
  for (const text of ['-1', '1001', '1.234', 'ten', '1e2']) assert.ok(Number.isNaN(desk.pointsGiven(text)), text)
})

test('entrants of different pairs can be swapped before the countdown', () => {
  const round = drawn('1-2 3-4', [5])
  const event = eventOf('points', 'drawn', [round])
  assert.deepEqual(desk.swappable(event, 1), [3, 4, 5])
  assert.deepEqual(desk.swappable(event, 5), [1, 2, 3, 4])
  assert.deepEqual(desk.swappable(event, 6), [])
  assert.deepEqual(desk.swappable({ ...event, phase: 'racing' }, 1), [])
  assert.deepEqual(desk.swappable(eventOf('knockout', 'drawn', [raced('1-2', [1]), round]), 1), [])
})
