/** The hints are the moves of the house bots: shared/vectors/hints.json has them for the positions of positions.json. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestPlan, hintOf } from '../../../src/model/hint/hint-search.js'
import { Board } from '../../../src/rules/board.js'
import { parseCards } from '../../../src/rules/cards.js'
import { GAMES, game } from '../../../src/rules/games.js'
import { moveText } from '../../../src/rules/move-notation.js'
import { vectors } from '../../helpers.js'

/** @type {{game: string, start: string[][], moves: [string, string][], legal: string[], outcome: string | null}[]} */
const positions = vectors('positions.json')
/** @type {string[]} */
const hints = vectors('hints.json')

/** The same as in tests/client/bot/make_hints.py. */
const EFFORT = { depth: 4, width: 8, positions: 200 }

/** @param {(typeof positions)[number]} position */
function boardOf({ game: key, start, moves }) {
  const columns = start.map((column) => column.join(''))
  const board = Board.ofStart(game(key), columns)
  for (const [text, revealed] of moves) board.enter(text, parseCards(revealed))
  return board
}

for (const key of GAMES.keys()) {
  test(`${key}: the plans are those of the house bots`, () => {
    positions.forEach((position, i) => {
      if (position.game !== key) return
      assert.equal(bestPlan(boardOf(position), EFFORT).map(moveText).join(' '), hints[i], JSON.stringify(position.start))
    })
  })
}

test('a hint is a legal move, and there is always one while a useful move is left', () => {
  positions.forEach((position, i) => {
    if (i % 8) return
    const board = boardOf(position)
    const hint = hintOf(board)
    if (hint) assert.ok(board.isLegal(hint))
    else assert.ok(position.legal.every((text) => !/draw|redeal|F$/.test(text)))
  })
})
