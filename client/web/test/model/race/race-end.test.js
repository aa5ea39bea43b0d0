import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  agrees,
  allAwaySince,
  hasOthersToAsk,
  holdsBack,
  mayWantToEnd,
  nobodyAnswers,
  othersWhoAgree,
  ownEnd,
  standsAside,
  whyOver,
} from '../../../src/model/race/race-end.js'
import { ABSENT_AFTER } from '../../../src/protocol/constants.js'

/** @param {Record<number, object>} racers @param {object} [more] @param {Record<number, object>} [people] @returns {any} */
const view = (racers, more = {}, people = {}) => ({
  people,
  race: {
    starts_at: 1000,
    racers: Object.fromEntries(
      Object.entries(racers).map(([seat, racer]) => [seat, { name: `P${seat}`, state: 'racing', ...racer }]),
    ),
    ...more,
  },
})

test('who agrees to end the race is said by name, and oneself apart', () => {
  const race = view({ 1: {}, 2: {}, 3: {} }, { agreed: [1, 3] })
  assert.deepEqual(othersWhoAgree(race, 1), ['P3'])
  assert.deepEqual(othersWhoAgree(race, 2), ['P1', 'P3'])
  assert.ok(agrees(race, 3) && !agrees(race, 2))
  assert.deepEqual(othersWhoAgree(view({ 1: {} }), 1), [])
})

test('only people who still race are asked, and nobody in a tournament', () => {
  assert.ok(hasOthersToAsk(view({ 1: {}, 2: {} }), 1))
  assert.ok(!hasOthersToAsk(view({ 1: {}, 2: { state: 'stuck' } }), 1))
  assert.ok(!hasOthersToAsk(view({ 1: {}, 2: {} }, {}, { 2: { bot: true } }), 1))
  assert.ok(!hasOthersToAsk({ ...view({ 1: {}, 2: {} }), tournament: {} }, 1))
})

test('one may want to end a race once somebody else is done, or has been away for long', () => {
  const now = 100_000
  assert.ok(!mayWantToEnd(view({ 1: { state: 'stuck' }, 2: {} }), 1, now))
  assert.ok(mayWantToEnd(view({ 1: {}, 2: { state: 'solved' }, 3: {} }), 1, now))
  const away = (/** @type {number | null} */ since) => view({ 1: {}, 2: {} }, {}, { 2: { away_at: since } })
  assert.ok(!mayWantToEnd(away(null), 1, now))
  assert.ok(!mayWantToEnd(away(now - ABSENT_AFTER), 1, now))
  assert.ok(mayWantToEnd(away(now - ABSENT_AFTER - 1), 1, now))
})

test('nobody answers where all others who still race are bots or have been away for long', () => {
  const people = { 2: { bot: true, away_at: null }, 3: { away_at: 1 } }
  assert.ok(nobodyAnswers(view({ 1: {}, 2: {}, 3: {}, 4: { state: 'stuck' } }, {}, people), 1, ABSENT_AFTER + 2))
  assert.ok(!nobodyAnswers(view({ 1: {}, 2: {}, 3: {} }, {}, people), 1, ABSENT_AFTER + 1))
  assert.ok(!nobodyAnswers(view({ 1: {}, 2: {} }), 1, 5))
})

test('all are away since the last of those who still race has left', () => {
  const racers = { 1: { state: 'solved' }, 2: {}, 3: {} }
  assert.equal(allAwaySince(view(racers, {}, { 2: { away_at: 5 }, 3: { away_at: 9 } })), 9)
  assert.equal(allAwaySince(view(racers, {}, { 2: { away_at: 5 }, 3: { away_at: null } })), null)
  assert.equal(allAwaySince(view({ 1: { state: 'solved' } })), null)
})

test('who had not finished is told whether the time was over or the race was ended', () => {
  const racers = { 1: { state: 'timed_out' }, 2: { state: 'gave_up' }, 3: { state: 'did_not_start' } }
  assert.equal(whyOver(view(racers, { over_at: 9000, ends_at: 9000 }), 1), 'You ran out of time.')
  assert.match(whyOver(view(racers, { over_at: 5000, ends_at: 9000 }), 3), /^The race ended before/)
  assert.equal(whyOver(view(racers, { over_at: 5000, ends_at: 9000 }), 2), '')
})

test('one is told how one’s own race ended, in a sentence', () => {
  assert.equal(ownEnd('gave_up'), 'You gave up.')
  assert.equal(ownEnd('done'), 'You are done.')
  assert.equal(ownEnd('timed_out'), 'You ran out of time.')
})

/** @param {Record<string, any>} [settings] @param {Record<string, number>} [aside] @returns {any} */
const roomWith = (settings, aside = {}) => ({
  settings: { watch: 'frontier', watching: 'link', late: 'watch', ...settings },
  race: { racers: { 1: { state: 'racing' }, 2: { state: 'racing' }, 3: { state: 'solved' } }, aside },
})
/** @param {number} moves @returns {any} */
const rows = (moves) => ({ 2: { moves }, 3: { moves: 3 } })

test('who is behind all who still race holds the boards back', () => {
  assert.equal(holdsBack(roomWith(), rows(6), 1, 5), true)
  assert.equal(holdsBack(roomWith(), rows(5), 1, 5), false)
  assert.equal(holdsBack(roomWith(), {}, 1, 0), false)
  assert.equal(holdsBack(roomWith({}, { 2: 5 }), rows(5), 1, 5), true, 'who stands aside is not waited for')
})

test('where the boards wait for nobody, nobody holds them back', () => {
  for (const settings of [{ watch: 'open' }, { watching: 'nobody' }, { late: 'join' }]) {
    assert.equal(holdsBack(roomWith(settings), rows(6), 1, 5), false)
  }
  assert.equal(holdsBack({ ...roomWith(), tournament: {} }, rows(6), 1, 5), false)
})

test('a move ends standing aside', () => {
  assert.equal(standsAside(roomWith({}, { 1: 5 }), 1, 5), true)
  assert.equal(standsAside(roomWith({}, { 1: 5 }), 1, 6), false)
  assert.equal(standsAside(roomWith(), 1, 0), false)
})
