import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, playOfPractice, playOfRace } from '../../../src/model/memory/plays.js'
import { raceOf } from '../../helpers.js'

/** @param {Record<number, object>} racers @param {object} [more] @param {object} [view] @param {Record<number, object>} [people] */
const viewOf = (racers, more = {}, view = {}, people = {}) => ({
  ...raceOf(racers, { number: 2, game: 'lucas', ...more }, people),
  code: 'KQXWVD',
  ...view,
})
const WON = { state: 'solved', finished_at: 5000 }

test('a race is kept while it runs, when the player ends, and with its place', () => {
  const running = playOfRace(viewOf({ 1: {}, 2: {} }), 1, 12)
  assert.deepEqual([running?.id, running?.stage, running?.home, running?.place], ['KQXWVD/2', 0, 12, null])
  const won = playOfRace(viewOf({ 1: WON, 2: { ...WON, finished_at: 4000 }, 3: {} }), 1, 104)
  assert.deepEqual([won?.stage, won?.ms, won?.place, won?.racers], [1, 4000, 2, 3])
  const over = playOfRace(viewOf({ 1: { state: 'stuck', home: 40, place: 1 } }, { over_at: 9000 }), 1, 0)
  assert.deepEqual([over?.stage, over?.ms, over?.home, over?.place], [2, null, 40, 1])
})

test('only racers have a play, and a blind round says nothing before its end', () => {
  assert.equal(playOfRace(viewOf({ 1: {} }), 2, 0), null)
  assert.equal(playOfRace(viewOf({ 1: {} }, { starts_at: null }), 1, 0), null)
  assert.equal(playOfRace(viewOf({ 1: { state: 'done' } }), 1, 0)?.stage, 0)
})

test('races against bots, challenges and deals of the day are of their own kind', () => {
  const bot = { 2: { bot: true } }
  assert.equal(playOfRace(viewOf({ 1: {}, 2: {} }, {}, {}, bot), 1, 0)?.kind, 'bot')
  assert.equal(playOfRace(viewOf({ 1: {}, 2: {}, 3: {} }, {}, {}, bot), 1, 0)?.kind, 'race')
  assert.equal(playOfRace(viewOf({ 1: {}, 2: {} }, {}, { tournament: {} }, bot), 1, 0)?.kind, 'tournament')
  const challenge = playOfRace(viewOf({ 1: {} }, { source: ['ABCDEF', 1] }, { arena: 'NTRMXC' }), 1, 0)
  assert.deepEqual([challenge?.kind, challenge?.of], ['challenge', 'NTRMXC'])
  const ofDay = { source: ['DAYDAY', 1], day: 20_785 }
  assert.equal(playOfRace(viewOf({ 1: {} }, ofDay, { arena: 'DAYDAY' }), 1, 0)?.kind, 'day')
})

test('each play has its page', () => {
  const pages = ['lucas:32001', 'KQXWVD/1'].map((name) => {
    const play = playOfPractice({ game: 'lucas', name }, 5, { state: 'solved', ms: 7, home: 104 })
    return pageOf({ ...play, device: 'a' })
  })
  assert.deepEqual(pages, ['/practice#lucas=32001', '/r/KQXWVD/1'])
  const race = { ...playOfPractice({ game: 'lucas', name: '' }, 5, { state: 'racing', home: 0 }), device: 'a' }
  assert.equal(pageOf({ ...race, id: 'KQXWVD/1', kind: 'race' }), '/r/KQXWVD/1')
  assert.equal(pageOf({ ...race, id: 'TRYTRY/1', kind: 'challenge', of: 'NTRMXC' }), '/r/NTRMXC/c')
})
