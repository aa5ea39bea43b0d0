import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { HIDDEN } from '../../src/rules/cards.js'
import { finishOf } from '../../src/rules/finish.js'
import { GAMES } from '../../src/rules/games.js'
import { parseMove } from '../../src/rules/moves.js'
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
