import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { finishOf, safeMoveOf } from '../../src/rules/finish.js'
import { game } from '../../src/rules/games.js'
import { parseMove, WASTE } from '../../src/rules/move-notation.js'
import { dealt, WINS } from '../helpers.js'

for (const { game: key, number, moves } of WINS) {
  test(`a won deal of ${key} finishes when nothing is left to decide`, () => {
    const board = dealt(key, number)
    assert.equal(finishOf(board), null)
    let finished = 0
    for (const text of moves) {
      const rest = finishOf(board)
      if (rest) {
        finished += 1
        const end = board.copy()
        for (const one of rest) end.enter(one)
        assert.equal(end.outcome, 'won')
        assert.ok(rest.every((one) => one.endsWith('-F')))
      }
      board.enter(text)
    }
    assert.ok(finished > 0, 'at the latest before the last move')
    assert.deepEqual(finishOf(board), [])
  })

  test(`a win of ${key} places nothing on a card that could go home safely`, () => {
    const board = dealt(key, number)
    /** The slots of these cards that are still in a column. @type {Set<number>} */
    const safe = new Set()
    let found = 0
    for (const text of moves) {
      const one = safeMoveOf(board)
      if (one) {
        const { source } = parseMove(one)
        if (source !== WASTE) safe.add(board.column(source).at(-1) ?? assert.fail())
        found += 1
        const made = board.copy()
        made.enter(one)
        assert.deepEqual([made.home, made.lastRevealed], [board.home + 1, false])
      }
      board.enter(text)
      for (let i = 1; i <= board.game.columns; i += 1) {
        const covered = board.column(i).slice(0, -1)
        assert.ok(!covered.some((slot) => safe.has(slot)), text)
      }
    }
    assert.ok(found > 0)
  })
}

test('an ace is safe, a card that another card may still need is not', () => {
  const start = ['2S', 'AC', '2C', 'AD', '3C'].map((top) => `KHKHKH${top}`)
  const board = Board.ofStart(game('streets'), [...start, ...Array.from({ length: 5 }, () => 'KSKSKSKS')])
  assert.equal(safeMoveOf(board), '2-F', 'the ace of clubs')
  board.enter('2-F')
  assert.equal(safeMoveOf(board), '4-F', 'the ace of diamonds, before the two of clubs: a red ace may lie on that')
  board.enter('4-F')
  assert.ok(board.isLegal(parseMove('3-F')))
  assert.equal(safeMoveOf(board), null, 'three red aces are not home yet')
})
