import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agrees, allAwaySince, hasOthersToAsk, othersWhoAgree, ownEnd, whyOver } from '../../src/model/race-end.js'

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
