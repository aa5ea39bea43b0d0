import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockText, finishText } from '../../../src/model/format.js'
import { gameLine, gamesInOrder } from '../../../src/model/game-texts.js'
import { gameGuide } from '../../../src/model/guide/game-guide.js'
import { dealText, placeCell, practiceOf, raceRules } from '../../../src/model/race/rule-texts.js'
import { GAMES } from '../../../src/rules/games.js'

/** @import { Settings } from '../../../src/protocol/protocol.d.ts' */

const SETTINGS = /** @type {const} */ ({
  game: 'lucas',
  time_limit: 1200,
  undo: 'turned',
  late: 'watch',
  deal: 'secret',
  seats: 8,
  public: false,
  countdown: 5,
  auto_start: true,
  watching: 'link',
  watch: 'frontier',
  delay: 60,
  after_win: 120,
  hints: false,
})

test('every game has a line about it and its rules in words', () => {
  assert.equal(gamesInOrder().length, GAMES.size)
  for (const game of gamesInOrder()) {
    assert.notEqual(gameLine(game.key), '', game.key)
    assert.ok(gameGuide(game.key).length >= 6)
  }
})

test('the game a newcomer should begin with comes first, the hardest last', () => {
  const keys = gamesInOrder().map((game) => game.key)
  assert.equal(keys[0], 'lucas')
  assert.equal(keys.at(-1), 'forty-thieves')
})

test('all rules of a race are said', () => {
  const text = raceRules(SETTINGS).flat().join(' ')
  for (const part of [
    'Lucas',
    '20 minutes',
    'The others have 2 minutes more',
    'can’t undo past a newly revealed card',
    'joins late',
    'A secret deal',
    'countdown of 5',
    'Winners come first, by time.',
  ]) {
    assert.ok(text.includes(part), part)
  }
  assert.ok(
    raceRules({ ...SETTINGS, deal: '32001' })
      .flat()
      .join(' ')
      .includes('32001'),
  )
})

test('a deal that can be won is said with the stars that it is to have', () => {
  const said = (/** @type {string} */ deal) => dealText({ deal })
  assert.match(said('winnable'), /^A secret deal +that can be won\. .* chooses it/)
  assert.match(said('winnable-2'), /^A secret deal ★★ that can be won/)
})

test('times read as on a clock', () => {
  assert.equal(clockText(0), '0:00')
  assert.equal(clockText(201_999), '3:21')
  assert.equal(clockText(3_725_000), '1:02:05')
  assert.equal(clockText(-5), '0:00')
  assert.equal(finishText(201_999), '3:21.9')
})

test('places are ordinals', () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 102].map(placeCell), [
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '102nd',
  ])
})

const said = (/** @type {Partial<Settings>} */ changed) =>
  raceRules({ ...SETTINGS, ...changed })
    .flat()
    .join(' ')

test('what watchers see is a rule like the others', () => {
  assert.match(said({}), /Anyone with the link can watch\. .* as far as the slowest racer has got/)
  assert.match(said({ watching: 'everyone', watch: 'open' }), /Anyone can watch.* could tip off a racer/)
  assert.match(said({ watch: 'delayed', delay: 45 }), /45 seconds late/)
  assert.match(said({ watch: 'delayed', delay: 120 }), /2 minutes late/)
})

test('where nobody may watch, it does not matter what they would see', () => {
  assert.match(said({ watching: 'nobody' }), /Nobody can watch\. Ranking/)
})

test('a deal that was played before is called practice', () => {
  assert.match(said({ deal: 'KQXWVD/12' }), /Practice on the deal of race 12 in room KQXWVD/)
  assert.deepEqual(practiceOf('KQXWVD/12'), { code: 'KQXWVD', race: 12 })
  for (const deal of ['secret', '32001', 'KQXWVD', null, undefined]) assert.equal(practiceOf(deal), null)
})
