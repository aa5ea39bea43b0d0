import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deedText,
  lateText,
  lengthText,
  levelName,
  planRules,
  pointsText,
  scoreText,
  stageText,
  tiebreakText,
} from '../../../src/model/tournament/words.js'
import { PLAN, tournament } from './views.js'

test('scores have halves as people write them', () => {
  assert.deepEqual([0, 0.5, 1, 2.5, 16.5, 13.333333, null].map(scoreText), ['0', '½', '1', '2½', '16½', '13.33', '–'])
  assert.equal(pointsText('points', 1), '1 point')
  assert.equal(pointsText('knockout', 2), '2 rounds won')
})

test('the rounds of a knock-out have names', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((level) => levelName(level, 5)),
    ['Last 32', 'Last 16', 'Quarter-finals', 'Semi-finals', 'Final'],
  )
})

test('one is told until when one may enter', () => {
  assert.equal(lateText({ ...PLAN, rounds: 5 }), 'One may enter until round 2.')
  assert.equal(lateText({ ...PLAN, rounds: 5, late: 4 }), 'One may enter until round 4.')
  assert.equal(lateText({ ...PLAN, rounds: 5, late: 0 }), 'Nobody enters after the first draw.')
  assert.equal(lateText({ ...PLAN, format: 'knockout' }), 'Nobody enters after the first draw.')
})

test('all that is agreed is said', () => {
  const rules = planRules({ ...PLAN, deadly: true, blind: true, quiet: true })
    .flat()
    .join(' ')
  for (const part of [
    '3 rounds',
    '25, 18, 15',
    '1 minute',
    'link may enter',
    'no undo',
    'before a round is over',
    'say nothing',
  ]) {
    assert.ok(rules.includes(part), part)
  }
  assert.ok(planRules({ ...PLAN, format: 'knockout' }).some(([, text]) => text.includes('third place')))
})

test('the tie-breaks are explained in the order in which they count', () => {
  assert.match(tiebreakText(tournament({})), /Wins \(rounds won\); then Solved .*; then Home .*Equal in all: equal place/)
})

test('what hosts did is said with their names and reasons', () => {
  const nameOf = (/** @type {number} */ seat) => ['', 'Ann', 'Bob'][seat] ?? ''
  const said = (/** @type {import('../../../src/model/room-view.js').Deed} */ deed) =>
    deedText(deed, nameOf)
      .map((part) => (typeof part === 'string' ? part : part.name))
      .join('')
  assert.equal(said([0, 1, 'disqualified', 2, 'Two browsers.']), 'Ann disqualified Bob: Two browsers.')
  assert.equal(said([0, null, 'hosted', 2, '']), 'Bob is the host now')
  assert.equal(said([0, 1, 'started', 2, '']), 'Ann started round 2')
  assert.equal(said([0, 1, 'timed', null, '']), 'Ann set the time of the next round')
  assert.equal(said([0, 1, 'reinstated', 2, 'It was his sister.']), 'Ann took back that Bob was disqualified: It was his sister.')
  assert.equal(said([0, 1, 'annulled', 3, '']), 'Ann had round 3 played again')
  assert.equal(said([0, null, 'withdrawn', 2, 'no_show']), 'Bob did not come, and is out until he comes back')
  assert.equal(said([0, 1, 'withdrawn', 2, 'host']), 'Ann took Bob out')
  assert.equal(said([0, null, 'skipped', 2, 'nobody']), 'Round 2 was skipped: nobody was there')
  assert.equal(said([0, 1, 'something_new', null, '']), 'Ann something new')
})

test('where a tournament is takes one line', () => {
  assert.equal(stageText(tournament({ phase: 'racing', round: 2 })), 'Round 2 of 3 · on')
  assert.equal(stageText(tournament({ phase: 'pause', round: 2, paused: true })), 'Round 2 of 3 · done · paused')
  const again = tournament({ phase: 'pause', round: 2, again: true, rounds: { 2: { game: 'lucas', state: 'played' } } })
  assert.equal(stageText(again), 'Round 2 of 3 · to be played again')
  assert.equal(stageText({ ...again, rounds: { 2: { ...again.rounds[2], races: [2] } } }), 'Round 2 of 3 · a tie is raced on')
  assert.equal(stageText(tournament({ phase: 'drawn', round: 3 }, { format: 'knockout' })), 'Final · about to start')
})

test('a stretch of time is said in the largest whole unit', () => {
  assert.deepEqual([20, 60, 90, 300, 3600, 150].map(lengthText), [
    '20 seconds',
    '1 minute',
    '90 seconds',
    '5 minutes',
    '1 hour',
    '2:30 minutes',
  ])
})
