import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { HIDDEN } from '../../src/rules/cards.js'
import { finishOf, safeMoveOf } from '../../src/rules/finish.js'
import { GAMES } from '../../src/rules/games.js'
import { parseMove, WASTE } from '../../src/rules/moves.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'

/** @type {{game: string, number: number | string, moves: string[]}[]} */
const WINS = JSON.parse(readFileSync(new URL('../../../../shared/vectors/wins.json', import.meta.url), 'utf8'))

for (const { game, number, moves } of WINS) {
  test(`a won deal of ${game} plays itself to the end from where nothing is left to decide, and not before`, () => {
    const board = Board.deal(GAMES.get(game) ?? assert.fail(game), deckOfNumber(String(number)))
    assert.equal(finishOf(board), null)
    let finished = 0
    for (const text of moves) {
      const rest = finishOf(board)
      if (rest) {
        finished += 1
        const end = board.copy()
        for (const one of rest) end.play(parseMove(one))
        assert.equal(end.outcome, 'won')
        assert.ok(rest.every((one) => one.endsWith('-F')))
      }
      board.play(parseMove(text))
    }
    assert.ok(finished > 0, 'at the latest before the last move')
    assert.deepEqual(finishOf(board), [])
  })
}

test('while a card lies in the stock or face down there is something left', () => {
  const game = GAMES.get('number-ten') ?? assert.fail()
  const board = Board.deal(game, deckOfNumber('32001'))
  assert.ok(board.columns.some((column) => column.includes(HIDDEN)))
  assert.equal(finishOf(board), null)
})

for (const { game, number, moves } of WINS) {
  test(`whoever wins a deal of ${game} puts nothing on a card that was safe to go home`, () => {
    const board = Board.deal(GAMES.get(game) ?? assert.fail(game), deckOfNumber(String(number)))
    /** @type {Set<number>} the slots of the cards that were safe and still lie in a column */
    const safe = new Set()
    let found = 0
    for (const text of moves) {
      const one = safeMoveOf(board)
      if (one) {
        const { source } = parseMove(one)
        if (source !== WASTE) safe.add(board.column(source).at(-1) ?? assert.fail())
        found += 1
        const made = board.copy()
        made.play(parseMove(one))
        assert.equal(made.home, board.home + 1)
        assert.equal(made.lastRevealed, false)
      }
      board.play(parseMove(text))
      for (let i = 1; i <= board.game.columns; i += 1) {
        const covered = board.column(i).slice(0, -1)
        assert.ok(!covered.some((slot) => safe.has(slot)), text)
      }
    }
    assert.ok(found > 0)
  })
}

test('an ace is safe, and a card on which another one could still lie is not', () => {
  const streets = GAMES.get('streets') ?? assert.fail()
  const start = ['2S', 'AC', '2C', 'AD', '3C'].map((top) => `KHKHKH${top}`)
  const board = Board.ofStart(streets, [...start, ...Array.from({ length: 5 }, () => 'KSKSKSKS')])
  assert.equal(safeMoveOf(board), '2-F', 'the ace of clubs')
  board.play(parseMove('2-F'))
  assert.equal(safeMoveOf(board), '4-F', 'the ace of diamonds, before the two of clubs: a red ace may lie on that')
  board.play(parseMove('4-F'))
  assert.ok(board.isLegal(parseMove('3-F')))
  assert.equal(safeMoveOf(board), null, 'three red aces are not home yet')
})
