import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as words from '../../../src/model/tournament/words.js'
import { speak } from '../../../src/words/translate.js'
import { joined } from '../../helpers.js'
import { PLAN, pairsOf, textOf, tournament } from './views.js'

/** @import { AuditEntry, Round } from '../../../src/protocol/protocol.d.ts' */

test('scores have halves', () => {
  assert.deepEqual([0, 0.5, 1, 2.5, 16.5, 13.333333, null].map(words.scoreText), ['0', '½', '1', '2½', '16½', '13.33', '–'])
  assert.equal(words.pointsText(PLAN, 1), '1 point')
  assert.equal(words.pointsText({ ...PLAN, format: 'knockout' }, 2), '2 rounds won')
  assert.equal(words.pointsText({ ...PLAN, format: 'roundrobin' }, 2), '2 points')
  assert.equal(words.pointsText({ ...PLAN, format: 'roundrobin', groups: 2 }, 2.5), '2½ points in the group')
})

test('a sentence agrees with its score, also with a half', async () => {
  const texts = () => [0.5, 1, 1.5, 19.5, 20].map((score) => words.pointsText(PLAN, score))
  assert.deepEqual(texts(), ['½ point', '1 point', '1½ points', '19½ points', '20 points'])
  await speak('ro')
  assert.deepEqual(texts(), ['½ punct', '1 punct', '1½ puncte', '19½ puncte', '20 de puncte'])
  await speak('en')
})

test('a column of places uses the short form of the language', async () => {
  assert.deepEqual([1, 22, null].map(words.placeOrNone), ['1st', '22nd', '–'])
  await speak('ro')
  assert.deepEqual([1, 22, null].map(words.placeOrNone), ['1', '22', '–'])
  await speak('en')
})

test('the rounds of a knock-out have names, and entry has an end', () => {
  const names = [1, 2, 3, 4, 5].map((level) => words.roundText(words.levelName(level, 5)))
  assert.deepEqual(names, ['Round of 32', 'Round of 16', 'Quarter-finals', 'Semi-finals', 'Final'])
  const until = (/** @type {number} */ round) => `You can enter until the end of round ${round}, and race from the next one.`
  assert.equal(words.lateText({ ...PLAN, rounds: 5 }), until(2))
  assert.equal(words.lateText({ ...PLAN, rounds: 5, late: 4 }), until(4))
  assert.equal(words.lateText({ ...PLAN, rounds: 5, late: 0 }), 'Nobody can enter after the first draw.')
  assert.equal(words.lateText({ ...PLAN, format: 'knockout' }), 'Nobody can enter after the first draw.')
})

test('the text has all rules of a plan', () => {
  const rules = joined(words.planRules({ ...PLAN, deadly: true, blind: true, quiet: true }).flat())
  const parts = ['3 rounds', '25, 18, 15', '1 minute', 'link can enter', 'no undo', 'until the round is over', 'can’t chat']
  for (const part of [...parts, 'Wins, All home, and Home']) assert.ok(rules.includes(part), part)
  assert.ok(words.planRules({ ...PLAN, format: 'knockout' }).some(([, text]) => text.includes('third place')))
  const halves = words.planRules({ ...PLAN, format: 'swiss', half_byes: 1 }).find(([term]) => term === 'Half-point byes')
  assert.equal(halves?.[1], 'You can ask to sit out 1 round, no later than round 2, for half a point.')
  const swiss = words.planRules({ ...PLAN, format: 'swiss', tiebreaks: ['direct', 'buchholz_cut1'], apart: 2 }).flat()
  assert.ok(swiss.includes('Direct encounter and Buchholz cut 1'))
  assert.ok(swiss.includes('2 groups do not race among themselves while there is another way.'))
})

test('the tie-breaks are explained in order, and a no-show has no value', () => {
  assert.match(words.tiebreakText(tournament({})), /Wins \(races won\), All home .*, and Home .*share the place/)
  assert.deepEqual([-1, 0, 2.5].map(words.tiebreakValue), ['–', '0', '2½'])
})

test('the actions of hosts have texts with names', () => {
  const nameOf = (/** @type {number} */ seat) => ['', 'Ann', 'Bob'][seat] ?? ''
  const saidOf = (/** @type {AuditEntry} */ deed) => textOf(words.deedSaying(deed, nameOf))
  assert.equal(saidOf([0, 1, 'disqualified', 2, 'Two browsers.']), 'Ann disqualified Bob')
  assert.equal(saidOf([0, 1, 'timed', null, '']), 'Ann changed the start of the next round')
  assert.equal(saidOf([0, null, 'timed', null, '']), 'The first round waits for a second entrant')
  assert.equal(saidOf([0, 1, 'annulled', 3, '']), 'Ann annulled round 3, so it is played again')
  assert.equal(saidOf([0, 1, 'released', null, 'Bo']), 'Ann released the name Bo on the list')
  assert.equal(saidOf([0, null, 'withdrawn', 2, 'no_show']), 'Bob was a no-show, and is out until they come back')
  assert.equal(saidOf([0, null, 'withdrawn', 2, 'left']), 'Bob withdrew')
  assert.equal(saidOf([0, 1, 'withdrawn', 2, 'host']), 'Ann withdrew Bob')
  assert.equal(saidOf([0, null, 'skipped', 2, 'nobody']), 'Round 2 was skipped because nobody was there')
  assert.equal(saidOf([0, 1, 'half_bye', 2, '3']), 'Ann gave Bob a half-point bye in round 3')
  assert.match(saidOf([0, 1, 'something_new', null, '']), /^Ann .*something_new/)
})

test('a reason of a host is shown, a code is not', () => {
  assert.equal(words.reasonOf([0, 1, 'disqualified', 2, 'Two browsers.']), 'Two browsers.')
  assert.equal(words.reasonOf([0, null, 'skipped', 2, 'nobody']), '')
  assert.equal(words.reasonOf([0, 1, 'withdrawn', 2, 'host']), '')
  assert.equal(words.reasonOf([0, 1, 'released', null, 'Bob']), '')
})

test('the stage of a tournament is one line', () => {
  assert.equal(words.stageText(tournament({ phase: 'racing', round: 2 })), 'Round 2 of 3 · racing')
  const stage = (/** @type {Partial<Round>} */ round, more = {}) =>
    words.stageText(tournament({ phase: 'pause', round: 2, rounds: { 2: round }, ...more }))
  assert.equal(stage({}, { paused: true }), 'Round 2 of 3 · done · the next round waits')
  assert.equal(stage({ state: 'skipped' }), 'Round 2 of 3 · skipped')
  assert.equal(stage({}, { again: true }), 'Round 2 of 3 · to be played again')
  assert.equal(stage({ races: [2], pairs: pairsOf('1-2') }, { again: true }), 'Round 2 of 3 · one match is raced again')
  assert.equal(stage({ races: [2] }, { again: true }), 'Round 2 of 3 · tie-break race to come')
  assert.equal(words.stageText(tournament({ phase: 'drawn', round: 3 }, { format: 'knockout' })), 'Final · starts soon')
})

test('a duration is in its largest whole unit', () => {
  const texts = joined([20, 60, 90, 300, 3600, 150].map(words.lengthText), ', ')
  assert.equal(texts, '20 seconds, 1 minute, 90 seconds, 5 minutes, 1 hour, 2:30 minutes')
})
