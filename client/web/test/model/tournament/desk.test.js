import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  correctable,
  givenOf,
  groupsOf,
  pointsGiven,
  swappable,
  unclaimedOf,
  waysOf,
} from '../../../src/model/tournament/desk.js'
import { entrants, raced, tournament, viewOf } from './views.js'

const here = { name: '', bot: false, here: true, ready: false, since: 0, team: '', board: 0 }

test('hosts see at a glance who races, who is away and who did not come', () => {
  const held = tournament({
    phase: 'racing',
    round: 1,
    entrants: {
      ...entrants(5),
      2: { name: 'Bob', state: 'withdrawn', reason: 'no_show', since: 1, team: '', board: 0 },
      3: { name: 'Cleo', state: 'disqualified', reason: 'Two browsers.', since: 1, team: '', board: 0 },
    },
  })
  const view = viewOf(held)
  view.people = { 1: here, 4: { ...here, here: false }, 9: here }
  view.race.racers = {
    1: { name: 'Ann', state: 'racing' },
    4: { name: 'Dan', state: 'racing' },
    5: { name: 'Eve', state: 'racing', gave_up_at: 9 },
  }
  assert.deepEqual(groupsOf(view), {
    all: [1, 2, 3, 4, 5, 9],
    missing: [],
    here: [],
    noTeam: [],
    racing: [1, 4],
    away: [4, 5],
    halfBye: [],
    noShow: [2],
    out: [3],
  })
  view.tournament = { ...held, phase: 'pause' }
  assert.deepEqual(groupsOf(view).racing, [])
  view.tournament = { ...held, plan: { ...held.plan, team_size: 2 } }
  assert.deepEqual(groupsOf(view).noTeam, [1, 4, 5])
})

test('the names of a list that nobody has claimed are counted', () => {
  assert.equal(unclaimedOf(tournament({ entrants: entrants(3) }, { entry: 'list', listed: 7 }), 9), 4)
  assert.equal(unclaimedOf(tournament({ entrants: entrants(3) }, { entry: 'list', listed: 7 }), 1), 5)
  assert.equal(unclaimedOf(tournament({ entrants: entrants(3) }), 9), 0)
})

test('results are corrected of rounds that are over, in a cup of the last one only', () => {
  const rounds = {
    1: raced([[1, 2]], [1]),
    2: raced([[1, 2]], [1]),
    3: { ...raced([[1, 3]], [1]), state: /** @type {const} */ ('skipped') },
  }
  assert.deepEqual(correctable(tournament({ round: 3, rounds }), 1), [2, 1])
  assert.deepEqual(correctable(tournament({ round: 3, rounds }), 3), [])
  assert.deepEqual(correctable(tournament({ round: 2, rounds: { 1: rounds[1], 2: rounds[2] } }, { format: 'knockout' }), 1), [2])
})

test('a pair is corrected for both', () => {
  assert.deepEqual(givenOf(4, 5, 'lost'), [
    [4, 0],
    [5, 1],
  ])
  assert.deepEqual(givenOf(4, 5, 'raced'), [
    [4, null],
    [5, null],
  ])
  assert.ok(!waysOf(tournament({}, { format: 'knockout' }), 1).includes('tied'))
})

test('points are from 0 to 1000 with two decimals, and nothing is what the race gave', () => {
  assert.deepEqual(['', ' 12,25 ', '1000', '0'].map(pointsGiven), [null, 12.25, 1000, 0])
  for (const text of ['-1', '1001', '1.234', 'ten', '1e2']) assert.ok(Number.isNaN(pointsGiven(text)), text)
})

test('two of different pairs are swapped before the countdown', () => {
  const rounds = {
    1: {
      pairs: /** @type {[number, number][]} */ ([
        [1, 2],
        [3, 4],
      ]),
      byes: [5],
      state: /** @type {const} */ ('drawn'),
    },
  }
  const drawn = tournament({ phase: 'drawn', round: 1, rounds })
  assert.deepEqual(swappable(drawn, 1), [3, 4, 5])
  assert.deepEqual(swappable(drawn, 5), [1, 2, 3, 4])
  assert.deepEqual(swappable(drawn, 6), [])
  assert.deepEqual(swappable({ ...drawn, phase: 'racing' }, 1), [])
  const cup = tournament({ phase: 'drawn', round: 2, rounds: { 2: rounds[1] } }, { format: 'knockout' })
  assert.deepEqual(swappable(cup, 1), [])
})
