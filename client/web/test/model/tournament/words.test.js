import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as words from '../../../src/model/tournament/words.js'
import { speak } from '../../../src/words/translate.js'
import { joined } from '../../helpers.js'
import { PLAN, pairsOf, textOf, tournament } from './views.js'

/** @import { Plan, Round, Stage } from '../../../src/protocol/protocol.d.ts' */

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
  const names = [32, 16, 8, 4, 2].map((left) => words.roundText(words.cupRound(left)))
  assert.deepEqual(names, ['Round of 32', 'Round of 16', 'Quarter-finals', 'Semi-finals', 'Final'])
  const until = (/** @type {number} */ round) => `Enter until the end of round ${round}, and race from the next one.`
  assert.equal(words.lateText({ ...PLAN, rounds: 5 }), until(2))
  assert.equal(words.lateText({ ...PLAN, rounds: 5, late: 4 }), until(4))
  assert.equal(words.lateText({ ...PLAN, rounds: 5, late: 0 }), 'Nobody can enter after the first draw.')
  for (const format of /** @type {const} */ (['knockout', 'roundrobin']))
    assert.equal(words.lateText({ ...PLAN, format }), 'Nobody can enter after the first draw.')
})

/** Rules of plans; undefined: the plan has none. @type {[Partial<Plan>, term: string, text: string | undefined][]} */
const RULES = [
  [{}, 'Rounds', '3 rounds'],
  [{}, 'Tie-breaks', 'Wins, All home, and Home'],
  [{}, 'Points', '25, 18, 15 by place. Entrants who tie share the average.'],
  [{ format: 'roundrobin', groups: 1, advance: null }, 'Third place', undefined],
  [{ format: 'roundrobin', groups: 2 }, 'Groups', '2 groups, if enough enter'],
  [{ format: 'roundrobin', groups: 2 }, 'Knock-out', 'The best 2 of each group go on.'],
  [{ format: 'swiss', half_byes: 1 }, 'Half-point byes', 'You can sit out 1 round, no later than round 2, for half a point.'],
  [{ format: 'swiss', tiebreaks: ['direct', 'buchholz_cut1'] }, 'Tie-breaks', 'Direct encounter and Buchholz cut 1'],
  [{ format: 'swiss', team_size: 2 }, 'Teams', 'Teams meet on 2 boards. The other members are reserves.'],
  [{ team_size: 2, team_most: 9 }, 'Teams', 'In each round, the best 2 of a team count.'],
  [{ team_size: 2, team_most: 9 }, 'Most members of a team', '9 members'],
  [{ format: 'arena' }, 'Open', 'Races of 2 begin for 60 minutes. Races under way at the end count.'],
  [{ format: 'arena' }, 'Streak', 'After 2 wins in a row, points are doubled until a race is not won.'],
  [{ format: 'arena' }, 'Rounds', undefined],
  [{ format: 'arena', check_in: 300 }, 'Check-in', undefined],
  [{ most: 40 }, 'Most entrants', '40 entrants'],
]

test('the text has all rules of a plan', () => {
  for (const [plan, term, text] of RULES) {
    assert.equal(Object.fromEntries(words.planRules({ ...PLAN, ...plan }))[term], text, term)
  }
  const hard = { deadly: true, blind: true, quiet: true, check_in: 600, entry_closes: 1800, apart: 2 }
  const all = ['points', 'knockout', 'swiss'].map((format) =>
    words.planRules({ ...PLAN, ...hard, format: /** @type {any} */ (format) }),
  )
  const parts = [
    '1 minute',
    'link can enter',
    'No undo',
    'when the round is over',
    'can’t chat',
    'third place',
    '2 groups are kept apart',
  ]
  for (const part of [...parts, '10 minutes before the first round', '30 minutes before the start'])
    assert.ok(`${all}`.includes(part), part)
})

test('the tie-breaks are explained in order, and a no-show has no value', () => {
  assert.match(words.tiebreakText(tournament({})), /Wins \(races won\), All home .*, and Home .*share the place/)
  assert.deepEqual(
    [-1, 0, 2.5].map((value) => words.tiebreakValue(value)),
    ['–', '0', '2½'],
  )
  assert.equal(words.tiebreakValue(-3, 'par'), '-3')
})

/** Actions with their texts; Ann hosts. @type {[what: string, by: number | null, about: number | null, reason: string, text: string][]} */
const DEEDS = [
  ['disqualified', 1, 2, 'Two browsers.', 'Ann disqualified Bob'],
  ['timed', 1, null, '', 'Ann changed the start of the next round'],
  ['timed', null, null, '', 'The first round waits for a second entrant'],
  ['released', 1, null, 'Bo', 'Ann released the name Bo on the list'],
  ['withdrawn', null, 2, 'no_show', 'Bob was a no-show, and is out until they come back'],
  ['withdrawn', null, 2, 'left', 'Bob withdrew'],
  ['half_bye', 1, 2, '3', 'Ann gave Bob a half-point bye in round 3'],
  ['check_in_ended', null, null, '2', 'Check-in ended. 2 entrants did not check in.'],
  ['announced', 1, null, '', 'Ann withdrew the announcement'],
  ['teamed', 1, 2, 'Red', 'Ann set the team of Bob: Red'],
  ['teamed', 1, 2, '', 'Ann took Bob out of the team'],
  ['something_new', 1, null, '', 'Ann did something that this page does not know: something_new'],
]
/** In an arena. @type {typeof DEEDS} */
const OF_ARENA = [
  ['skipped', 1, 7, 'why', 'Ann took race 7 out of the points'],
  ['round_stopped', 1, 0, '', 'Ann ended the arena early'],
  ['entry_closed', 1, null, '', 'Ann closed registration'],
]

test('the actions of hosts have texts with names', () => {
  const nameOf = (/** @type {number} */ seat) => ['', 'Ann', 'Bob'][seat] ?? ''
  for (const deeds of [DEEDS, OF_ARENA]) {
    for (const [what, by, about, reason, text] of deeds) {
      assert.equal(textOf(words.deedSaying([0, by, what, about, reason], nameOf, deeds === OF_ARENA)), text)
    }
  }
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
  const final = { rounds: { 3: { stage: /** @type {Stage} */ (['final', 2]) } } }
  assert.equal(words.stageText(tournament({ phase: 'drawn', round: 3, ...final }, { format: 'knockout' })), 'Final · starts soon')
})

test('a duration is in its largest whole unit', () => {
  const texts = joined([20, 60, 90, 300, 3600, 150].map(words.lengthText), ', ')
  assert.equal(texts, '20 seconds, 1 minute, 90 seconds, 5 minutes, 1 hour, 2:30 minutes')
})

test('a race of a round that a host ended did not run out of time', () => {
  const ended = tournament({ desk: [[0, 1, 'round_stopped', 2, '']] })
  assert.deepEqual(
    [1, 2].map((round) => words.endText(ended, round, 'timed_out')),
    ['time up', 'ended by the host'],
  )
  assert.equal(words.endText(tournament({ desk: [[0, 1, 'round_stopped', 2, '', true]] }), 2, 'timed_out'), 'time up')
})
