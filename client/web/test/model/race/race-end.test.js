import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as end from '../../../src/model/race/race-end.js'
import { standings } from '../../../src/model/race/room-view.js'
import { stateText } from '../../../src/model/race/rule-texts.js'
import { ABSENT_AFTER } from '../../../src/protocol/constants.js'
import { raceOf as view } from '../../helpers.js'

test('the other active racers are asked, and those who agree are named', () => {
  const race = view({ 1: {}, 2: {}, 3: {} }, { agreed: [1, 3] })
  assert.deepEqual([end.othersWhoAgree(race, 1), end.othersWhoAgree(race, 2)], [['P3'], ['P1', 'P3']])
  assert.deepEqual([end.agrees(race, 3), end.agrees(race, 2)], [true, false])
  assert.deepEqual(end.othersWhoAgree(view({ 1: {} }), 1), [])
  assert.ok(end.hasOthersToAsk(view({ 1: {}, 2: {} }), 1))
  assert.ok(!end.hasOthersToAsk(view({ 1: {}, 2: { state: 'stuck' } }), 1))
  assert.ok(!end.hasOthersToAsk(view({ 1: {}, 2: {} }, {}, { 2: { bot: true } }), 1))
  assert.ok(!end.hasOthersToAsk({ ...view({ 1: {}, 2: {} }), tournament: {} }, 1))
})

test('a racer may want to end the race when another one is done or long away', () => {
  const now = 100_000
  assert.ok(!end.mayWantToEnd(view({ 1: { state: 'stuck' }, 2: {} }), 1, now))
  assert.ok(end.mayWantToEnd(view({ 1: {}, 2: { state: 'solved' }, 3: {} }), 1, now))
  const away = (/** @type {number | null} */ since) => view({ 1: {}, 2: {} }, {}, { 2: { away_at: since } })
  const wants = [null, now - ABSENT_AFTER, now - ABSENT_AFTER - 1].map((since) => end.mayWantToEnd(away(since), 1, now))
  assert.deepEqual(wants, [false, false, true])
})

test('nobody answers if the others are bots or long away, or all are away', () => {
  const people = { 2: { bot: true, away_at: null }, 3: { away_at: 1 } }
  assert.ok(end.nobodyAnswers(view({ 1: {}, 2: {}, 3: {}, 4: { state: 'stuck' } }, {}, people), 1, ABSENT_AFTER + 2))
  assert.ok(!end.nobodyAnswers(view({ 1: {}, 2: {}, 3: {} }, {}, people), 1, ABSENT_AFTER + 1))
  assert.ok(!end.nobodyAnswers(view({ 1: {}, 2: {} }), 1, 5))
  const racers = { 1: { state: 'solved' }, 2: {}, 3: {} }
  assert.equal(end.allAwaySince(view(racers, {}, { 2: { away_at: 5 }, 3: { away_at: 9 } })), 9)
  assert.equal(end.allAwaySince(view(racers, {}, { 2: { away_at: 5 }, 3: { away_at: null } })), null)
  assert.equal(end.allAwaySince(view({ 1: { state: 'solved' } })), null)
})

test('a racer learns why the race ended', () => {
  const racers = { 1: { state: 'timed_out' }, 2: { state: 'gave_up' }, 3: { state: 'did_not_start' } }
  assert.equal(end.whyOver(view(racers, { over_at: 9000, ends_at: 9000 }), 1), 'You ran out of time.')
  assert.match(end.whyOver(view(racers, { over_at: 5000, ends_at: 9000 }), 3), /^The race ended before/)
  assert.equal(end.whyOver(view(racers, { over_at: 5000, ends_at: 9000 }), 2), '')
  const said = (/** @type {number} */ over_at) => {
    const [{ state, early }] = standings(view({ 1: racers[1] }, { over_at, ends_at: 9000 }), {})
    return stateText(state, early)
  }
  assert.deepEqual([said(5000), said(9000)], ['race ended', 'time up'])
})

/** @param {Record<string, any>} [settings] @param {Record<string, number>} [aside] @returns {any} */
const roomWith = (settings, aside = {}) => ({
  settings: { watch: 'frontier', watching: 'link', late: 'watch', ...settings },
  race: { racers: { 1: { state: 'racing' }, 2: { state: 'racing' }, 3: { state: 'solved' } }, aside },
})
/** The rows of the others after this many draws, and of seat 1 after five. @param {number} drawn @param {number} [home] @returns {any} */
const rows = (drawn, home = 0) => ({
  1: { moves: 5, home: 0, stock: 59 },
  2: { moves: 1000, home, stock: 64 - drawn },
  3: { moves: 3, home: 0, stock: 61 },
})

test('a racer with fewer cards than all active racers holds the boards back, if they wait', () => {
  assert.equal(end.holdsBack(roomWith(), rows(6), 1), true)
  assert.equal(end.holdsBack(roomWith(), rows(5), 1), false, 'entries that show nothing do not count')
  assert.equal(end.holdsBack(roomWith(), rows(5, 1), 1), true)
  assert.equal(end.holdsBack(roomWith(), { 1: rows(5)[1] }, 1), false)
  assert.equal(end.holdsBack(roomWith(), {}, 1), false)
  assert.equal(end.holdsBack(roomWith({}, { 2: 1000 }), rows(5), 1), true, 'the boards do not wait for those aside')
  for (const settings of [{ watch: 'open' }, { watching: 'nobody' }, { late: 'join' }, { undo: 'free' }]) {
    assert.equal(end.holdsBack(roomWith(settings), rows(6), 1), false)
  }
  assert.equal(end.holdsBack({ ...roomWith(), tournament: {} }, rows(6), 1), false)
})

test('only a person waits for a racer: no bot, and nobody who is away', () => {
  const watched = (/** @type {object} */ other, watchers = 0) =>
    end.isWatched(view({ 1: {}, 2: { state: 'stuck' } }, {}, { 1: { here: true, bot: false }, 2: other }), watchers)
  assert.equal(watched({ here: true, bot: false }), true)
  assert.equal(watched({ here: true, bot: true }), false)
  assert.equal(watched({ here: false, bot: false }), false)
  assert.equal(watched({ here: true, bot: true }, 1), true)
  assert.equal(end.isWatched(view({ 1: {} }, {}, { 1: { here: true }, 4: { here: true } }), 0), true, 'without a race')
})

test('a move ends standing aside', () => {
  assert.equal(end.standsAside(roomWith({}, { 1: 5 }), 1, 5), true)
  assert.equal(end.standsAside(roomWith({}, { 1: 5 }), 1, 6), false)
  assert.equal(end.standsAside(roomWith(), 1, 0), false)
})
