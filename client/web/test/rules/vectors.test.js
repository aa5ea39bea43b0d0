/** The positions that every implementation of the rules must agree on, the server's among them. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { cardName, names, parseCards } from '../../src/rules/cards.js'
import { GAMES, game } from '../../src/rules/games.js'
import { moveText, parseMove } from '../../src/rules/moves.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'

const vectors = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../../../../shared/vectors/${name}`, import.meta.url), 'utf8'))

const positions = vectors('positions.json')

/** @param {Board} board @param {[string, string][]} moves @param {boolean} told whether the board needs the revealed cards from the test */
function playAll(board, moves, told) {
  for (const [text, turned] of moves) {
    if (text === 'undo') board.undo()
    else assert.equal(names(board.play(parseMove(text), told ? parseCards(turned) : undefined)), turned)
  }
  return board
}

/** A position as in a vector, without the outcome. */
const described = (/** @type {Board} */ board) => ({
  legal: [...board.legalMoves()].map(moveText).sort(),
  columns: board.columns.map((pile) => pile.map(cardName)),
  waste: board.waste.map(cardName),
  stock: board.stockCount,
  redeals: board.redealsLeft,
  home: board.home,
  foundations: [0, 1, 2, 3].map((suit) => board.foundation(suit)),
})

for (const key of GAMES.keys()) {
  const mine = positions.filter((/** @type {any} */ one) => one.game === key)

  test(`${key}: the player's board agrees with every position of the vectors`, () => {
    assert.ok(mine.length > 0)
    for (const { start, moves, outcome, game: _game, deck: _deck, judged: _judged, ...position } of mine) {
      const seen = start.map((/** @type {string[]} */ pile) => pile.join(''))
      const board = playAll(Board.ofStart(game(key), seen), moves, true)
      assert.deepEqual({ ...described(board), outcome: board.outcome }, { ...position, outcome })
    }
  })

  test(`${key}: the whole deck leads to the same positions, judged with every card known`, () => {
    for (const { deck, moves, judged, game: _game, start: _start, outcome: _outcome, ...position } of mine) {
      const board = playAll(Board.deal(game(key), parseCards(deck)), moves, false)
      assert.deepEqual({ ...described(board), judged: board.outcome }, { ...position, judged })
    }
  })
}

for (const { game: key, number, moves } of vectors('wins.json')) {
  test(`${key}: the deal of number ${number} is won as written down`, () => {
    const board = Board.deal(game(key), deckOfNumber(String(number)))
    for (const text of moves) board.play(parseMove(text))
    assert.equal(board.outcome, 'won')
  })
}
