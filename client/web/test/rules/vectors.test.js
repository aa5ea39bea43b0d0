/** The positions that every implementation of the rules must agree on, the server's among them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { names, parseCards } from '../../src/rules/cards.js'
import { GAMES, game } from '../../src/rules/games.js'
import { described, vectors } from '../helpers.js'

const positions = vectors('positions.json')

/** @param {Board} board @param {[string, string][]} moves @param {boolean} isPlayer whether the board learns the cards from the test */
function playAll(board, moves, isPlayer) {
  for (const [text, revealed] of moves) {
    assert.equal(names(board.enter(text, isPlayer ? parseCards(revealed) : undefined)), revealed)
  }
  return board
}

for (const key of GAMES.keys()) {
  test(`${key}: the boards of player and dealer agree with every position of the vectors`, () => {
    const own = positions.filter((/** @type {any} */ one) => one.game === key)
    assert.ok(own.length > 0)
    for (const { start, moves, outcome, game: _, deck, judged, ...position } of own) {
      const seen = start.map((/** @type {string[]} */ pile) => pile.join(''))
      const player = playAll(Board.ofStart(game(key), seen), moves, true)
      assert.deepEqual({ ...described(player), outcome: player.outcome }, { ...position, outcome })
      const whole = playAll(Board.deal(game(key), parseCards(deck)), moves, false)
      assert.deepEqual({ ...described(whole), judged: whole.outcome }, { ...position, judged })
    }
  })
}
