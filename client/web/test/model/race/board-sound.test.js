import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { soundOf } from '../../../src/model/race/board-sound.js'
import { Board } from '../../../src/rules/board.js'
import { GAMES } from '../../../src/rules/games.js'
import { parseMove } from '../../../src/rules/moves.js'
import { deckOfNumber } from '../../../src/rules/numbered-deal.js'

/** @type {{game: string, number: number | string, moves: string[]}[]} */
const WINS = JSON.parse(readFileSync(new URL('../../../../../shared/vectors/wins.json', import.meta.url), 'utf8'))

test('each move has the sound of its kind, and the last one that of a win', () => {
  for (const { game, number, moves } of WINS) {
    const board = Board.deal(GAMES.get(game) ?? assert.fail(game), deckOfNumber(String(number)))
    moves.forEach((text, before) => {
      board.play(parseMove(text))
      const kind = /draw|redeal/.test(text) ? 'draw' : text.endsWith('F') ? 'home' : 'move'
      assert.equal(soundOf(before, board), before + 1 === moves.length ? 'won' : kind)
    })
  }
})

test('a move that is taken back is heard, and what was not played just now is not', () => {
  const board = Board.deal(GAMES.get('lucas') ?? assert.fail(), deckOfNumber('32001'))
  assert.equal(soundOf(0, board), null)
  board.play(parseMove('draw'))
  board.play(parseMove('draw'))
  assert.equal(soundOf(0, board), null, 'two at once: another device’s')
  board.undo()
  assert.equal(soundOf(2, board), 'undo')
})
