import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockText, finishText } from '../../../src/model/format.js'
import { lineOf } from '../../../src/model/game-line.js'
import { firstGames, gamesInOrder, isWinnable, starsOf, winnableText } from '../../../src/model/game-texts.js'
import { gameGuide } from '../../../src/model/guide/game-guide.js'
import { otherRules } from '../../../src/model/race/other-rules.js'
import { dealText, firstRules, placeCell } from '../../../src/model/race/rule-texts.js'
import { GAMES } from '../../../src/rules/games.js'
import { joined, pluck } from '../../helpers.js'

/** @import { Settings } from '../../../src/protocol/protocol.d.ts' */

/** @type {any} */
const SETTINGS = {
  ...{ game: 'lucas', time_limit: 1200, undo: 'turned', late: 'watch', deal: 'secret', seats: 8, public: false },
  ...{ countdown: 5, auto_start: true, watching: 'link', watch: 'frontier', delay: 60, after_win: 120, hints: false },
}

/** All rules as a text. @param {Partial<Settings>} [changed] */
function rules(changed) {
  const settings = { ...SETTINGS, ...changed }
  return joined([...firstRules(settings), ...otherRules(settings)].flat())
}

test('every game has a line and a guide, and the nine that are offered first are from the easiest to the hardest', () => {
  const keys = gamesInOrder().map(({ key }) => key)
  assert.deepEqual([keys.length, keys[0], keys[8]], [GAMES.size, 'lucas', 'forty-thieves'])
  assert.deepEqual(pluck(firstGames('zebra'), 'key'), [...keys.slice(0, 9), 'zebra'])
  for (const key of keys) {
    assert.notEqual(lineOf(key), '', key)
    assert.ok(gameGuide(key).length >= 6)
  }
})

test('the settings of a winnable deal have a number of stars, or any', () => {
  assert.deepEqual(['winnable', 'winnable-1', 'winnable-2', 'winnable-3'].map(starsOf), [0, 1, 2, 3])
  for (const deal of ['winnable', 'winnable-3']) assert.ok(isWinnable(deal), deal)
  for (const other of ['secret', '32001', 'KQXWVD/1', '']) assert.ok(!isWinnable(other) && starsOf(other) === 0, other)
  assert.deepEqual([null, 1, 3].map(winnableText), ['winnable', 'winnable ★', 'winnable ★★★'])
})

test('the text names all rules of a race', () => {
  const parts = ['Lucas', '20 minutes', 'The others have 2 minutes more', 'not past a revealed card', 'Latecomers watch']
  for (const part of [...parts, 'Secret, and the same', 'after 5 seconds', 'Fastest win first']) {
    assert.ok(rules().includes(part), part)
  }
  assert.ok(!rules().includes('Match'))
  assert.match(rules({ best_of: 5 }), /Match The first to win 3 races/)
  assert.match(rules({ deal: '32001' }), /32001/)
  assert.match(dealText({ deal: 'winnable' }), /^Winnable +and secret, .* Proved after the race/)
  assert.match(dealText({ deal: 'winnable-2' }), /^Winnable ★★ and secret/)
})

test('the text says what spectators see, if anyone may watch', () => {
  assert.match(rules(), /Anyone with the link can watch\. Boards are held back to the slowest racer/)
  assert.match(rules({ watching: 'everyone', watch: 'open' }), /Anyone can watch.* could tip off a racer/)
  assert.match(rules({ watch: 'delayed', delay: 45 }), /45 seconds late/)
  assert.match(rules({ watch: 'delayed', delay: 120 }), /2 minutes late/)
  assert.match(rules({ watching: 'nobody' }), /Nobody can watch\. Ranking/)
})

test('times and places have their texts', () => {
  assert.deepEqual([0, 201_999, 3_725_000, -5].map(clockText), ['0:00', '3:21', '1:02:05', '0:00'])
  assert.equal(finishText(201_999), '3:21.9')
  assert.equal(joined([1, 2, 3, 4, 11, 12, 13, 21, 102].map(placeCell)), '1st 2nd 3rd 4th 11th 12th 13th 21st 102nd')
})
