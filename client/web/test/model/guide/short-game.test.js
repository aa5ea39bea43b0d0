import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortGame } from '../../../src/model/guide/short-game.js'
import { GAMES } from '../../../src/rules/games.js'

for (const { key } of GAMES.values())
  test(`a board of ${key} plays itself to the end, and begins again with other cards`, () => {
    const boards = shortGame(key)
    const first = boards.next().value
    let [last, next] = [first, boards.next().value]
    while (next?.animate) [last, next] = [next, boards.next().value]
    assert.ok(last && next && last.board.movesMade > 60 && last.board.home > 8)
    assert.notDeepEqual(next.board.columns, first?.board.columns)
  })
