import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countUpTo, lineOf } from '../../../src/model/replay/racer-line.js'
import { Board, game, parseCards, stockOf } from '../../../src/rules/rules.js'
import { joined, rises } from '../../helpers.js'
import { ALL, recordOf } from './records.js'

/** @param {Board} board */
const picture = (board) => JSON.stringify([board.columns, board.waste, board.stockCount, board.home])

test('the board after some entries is the same in any order of requests', () => {
  const record = recordOf('solved with redeals')
  const line = lineOf(record, 1)
  const board = Board.deal(game(record.game), parseCards(record.deck))
  const pictures = [picture(board)]
  for (const [, text] of record.logs[0][1]) {
    board.enter(text)
    pictures.push(picture(board))
  }
  for (const n of [0, 1, 2, 33, 32, 31, 166, 5, 64, 63, 65, 100, 0]) assert.equal(picture(line.board(n)), pictures[n], `${n}`)
  for (let n = line.length; n >= 0; n -= 1) assert.equal(picture(line.board(n)), pictures[n], `${n}`)
})

test('the counts are those of the boards, and that of drawn cards continues after a redeal', () => {
  const line = lineOf(recordOf('stuck'), 2)
  for (const n of [0, 7, 50, 215]) {
    assert.deepEqual([line.home[n], line.stock[n]], [line.board(n).home, line.board(n).stockCount])
  }
  const { drawn, length } = lineOf(recordOf('solved with redeals'), 2)
  assert.ok(drawn[length] > 64)
  assert.ok(rises(drawn))
})

test('a card is revealed once, also if it is drawn again', () => {
  for (const name of ALL) {
    const record = recordOf(name)
    for (const { seat } of record.racers) {
      const { reveals } = lineOf(record, seat)
      const stock = reveals.filter(({ column }) => !column).flatMap(({ cards }) => cards)
      assert.ok(stock.length <= stockOf(game(record.game)), name)
      assert.ok(Math.min(...reveals.flatMap(({ cards }) => cards)) >= 0, name)
    }
  }
})

test('cards in columns are revealed, and a wrong log ends before its fault', () => {
  const { reveals } = lineOf(recordOf('long'), 1)
  assert.ok(reveals.some(({ column, cards }) => column > 0 && cards.length === 1))
  const record = structuredClone(recordOf('short'))
  record.logs[0][1][3][1] = '9-1x7'
  assert.equal(lineOf(record, 1).length, 3)
})

test('entries are found by their time, and only racers have a line', () => {
  assert.equal(joined([0, 5, 10].map((ms) => countUpTo([1, 5, 5, 9], ms))), '0 3 4')
  assert.equal(countUpTo([], 5), 0)
  assert.throws(() => lineOf(recordOf('short'), 99), RangeError)
})
