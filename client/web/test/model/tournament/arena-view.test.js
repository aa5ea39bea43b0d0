/** The parts of an arena that its pages show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as arenaView from '../../../src/model/tournament/arena-view.js'
import { groupsOf } from '../../../src/model/tournament/desk.js'
import { BLANK, faultsOf, planOf } from '../../../src/model/tournament/plan-draft.js'
import { stageText } from '../../../src/model/tournament/words.js'
import { joined } from '../../helpers.js'
import { entrants, tournament, viewOf } from './views.js'

/** @import { Tournament } from '../../../src/protocol/protocol.d.ts' */

/** @param {Partial<NonNullable<Tournament['arena']>>} arena @param {Partial<Tournament>} [more] @returns {Tournament} */
const arenaOf = (arena, more = {}) => ({
  ...tournament({ phase: 'racing', entrants: entrants(5), ...more }, { format: 'arena' }),
  arena: { opened_at: 1000, closes_at: 61_000, under_way: {}, ended: {}, sheets: {}, racing: {}, ...arena },
})

const on = arenaOf({
  under_way: { 3: ['BCDFGH', 2000, [1, 2], 'lucas'], 4: ['BCDFGJ', 3000, [3, 4], 'lucas'] },
  ended: { 1: ['BCDFGK', 'lucas', [[1, 1, 'gave_up', 9]], false, []], 2: ['BCDFGL', 'lucas', [], true, []] },
  racing: { 1: 3, 2: 3, 3: 4, 4: 4 },
  sheets: { 1: [6, 3, 3, 3, 0, 30, 2], 2: [2, 3, 1, 0, 0, 20, 0], 3: [2, 2, 1, 1, 0, 20, 2] },
})

test('the standings are by points, then by tie-breaks', () => {
  const { standings = [] } = arenaView.withStandings(on)
  assert.equal(joined(standings), '1,1,6,3,0,30 2,2,2,1,0,20 2,3,2,1,0,20 4,4,0,0,0,0 4,5,0,0,0,0')
})

test('a disqualified entrant has no place, one without a race no row', () => {
  const some = entrants(5)
  some[1].state = 'disqualified'
  some[4].state = 'withdrawn'
  const rows = arenaView.withStandings({ ...on, entrants: some }).standings ?? []
  assert.equal(joined(rows.map(([place, seat]) => [place, seat])), '1,2 1,3 3,5 ,1')
  const early = arenaOf({ opened_at: null }, { phase: 'entry' })
  assert.equal(arenaView.withStandings(early), early)
  assert.ok(!arenaView.isOpen(early) && arenaView.isOpen(on) && arenaView.isArena(on))
})

test('each entrant has a state in the arena', () => {
  const { is, heat } = arenaView.ownOf(on, 1)
  assert.deepEqual([is, heat], ['races', { number: 3, code: 'BCDFGH', at: 2000, seats: [1, 2], game: 'lucas' }])
  assert.deepEqual(heat && arenaView.rivalsOf(on, heat, 1), ['Bob'])
  assert.deepEqual(arenaView.ownOf(on, 5), { is: 'waits', heat: null })
  assert.deepEqual(arenaView.ownOf(on, 9), { is: 'none', heat: null })
  const some = entrants(5)
  some[5].state = 'withdrawn'
  some[4].state = 'disqualified'
  assert.equal(arenaView.ownOf({ ...on, entrants: some }, 5).is, 'break')
  assert.equal(arenaView.ownOf(arenaOf({}, { entrants: some }), 4).is, 'out')
})

test('the latest races come first, and a streak begins with enough wins', () => {
  assert.equal(joined(arenaView.heatsOf(on).map(({ number }) => number)), '4 3')
  assert.equal(joined(arenaView.endedOf(on).map(({ number, skipped }) => [number, skipped])), '2,true 1,false')
  assert.equal(arenaView.sheetOf(on, 1).isStreak, true)
  assert.equal(arenaView.sheetOf(on, 3).isStreak, false)
  assert.equal(arenaView.sheetOf({ ...on, plan: { ...on.plan, streak: 0 } }, 1).isStreak, false)
  assert.equal(joined(Object.values(arenaView.sheetOf(on, 5))), '0 0 0 0 0 0 0 false')
})

test('a racer in another room is neither waiting nor missing', () => {
  const view = viewOf(on)
  view.people = Object.fromEntries(
    [1, 2, 3, 4, 5].map((seat) => [seat, { name: `${seat}`, bot: false, here: seat === 5, ready: false, since: 0 }]),
  )
  assert.equal(arenaView.waitingCount(view, on), 1)
  assert.deepEqual(groupsOf(view).racing, [1, 2, 3, 4])
  assert.deepEqual(groupsOf(view).away, [])
})

test('an arena has its own stages', () => {
  assert.equal(stageText(on), 'Races are on')
  assert.equal(stageText({ ...on, paused: true }), 'Paused')
})

test('a plan of an arena has no settings of rounds', () => {
  const draft = { ...BLANK, format: /** @type {const} */ ('arena'), rounds: Number.NaN, check_in: 300, blind: true, quiet: true }
  const { rounds, check_in, blind, quiet } = planOf(draft)
  assert.deepEqual({ rounds, check_in, blind, quiet }, { rounds: BLANK.rounds, check_in: 0, blind: false, quiet: false })
  assert.deepEqual(faultsOf(draft, 0), {})
})
