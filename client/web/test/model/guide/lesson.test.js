import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lessonOf } from '../../../src/model/game-texts.js'
import { lessonBoard, lessonSteps } from '../../../src/model/guide/lesson.js'
import { cardName } from '../../../src/rules/cards.js'
import { GAMES, homeOf, stockOf } from '../../../src/rules/games.js'

for (const game of [...GAMES.values()].filter(({ key }) => lessonOf(key) === key)) {
  test(`the lesson of ${game.key} has all cards, and each of its moves is legal`, () => {
    const board = lessonBoard(game)
    const all = Array.from({ length: 104 }, (_, slot) => cardName(board.face(slot)))
    assert.equal(new Set(all).size, 52)
    assert.ok(all.every((card) => all.filter((other) => other === card).length === 2))
    assert.equal(board.stockCount, stockOf(game))

    let moves = 0
    for (const { move, title, text, marks } of lessonSteps(game)) {
      assert.ok(title && /[.!]$/.test(text) && text.split(' ').length <= 25, text)
      assert.ok(move(board) || marks.length, `${title}: it marks what it speaks of`)
      for (let next = move(board); next; next = move(board)) {
        assert.ok(board.isLegal(next), `${title}: ${JSON.stringify(next)}`)
        board.play(next)
        moves += 1
        assert.ok(moves < 20, title)
      }
    }
    assert.equal(board.home, homeOf(game) + 1 + Number(game.cards))
    assert.ok(board.column(4).length > 0, 'the empty column was used')
  })
}
