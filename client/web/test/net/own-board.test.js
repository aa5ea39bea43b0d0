import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOwnBoard } from '../../src/net/own-board.js'
import { Refusal } from '../../src/net/refusal.js'
import * as rules from '../../src/rules/rules.js'
import { START } from '../helpers.js'

const WRONG = new Refusal('illegal-move')
const OUT_OF_TURN = new Refusal('out-of-turn')

function table() {
  /** @type {string[]} */
  const sent = []
  /** @type {any[]} */
  const refusals = []
  /** @type {any} */
  let shown
  let shows = 0
  let waits = false
  const net = { up: true }
  const own = createOwnBoard(rules, {
    send: (race, n, text) => net.up && sent.push(`${race} ${n} ${text}`) > 0,
    onShown(now) {
      shown = now
      shows += 1
    },
    onWaiting: (now) => (waits = now),
    onRefused: (why) => refusals.push(why.code),
  })
  own.begin(1, 'maria', START, [])
  return {
    ...{ own, sent, refusals, net, waits: () => waits, home: () => shown.board.home, board: () => shown.board },
    /** The top card of a column. @param {number} column */
    top: (column) => rules.names(shown.board.columns[column - 1].slice(-1)),
    /** How often a board was shown since the last call. */
    shows() {
      const since = shows
      shows = 0
      return since
    },
  }
}

test('a move shows immediately and is sent with its number, an illegal one is not', () => {
  const { own, sent, home, top } = table()
  assert.deepEqual([own.play('9-F'), home(), own.play('2-1'), top(1)], [true, 1, true, '9S'])
  assert.equal(own.play('1-2'), false)
  assert.deepEqual(sent, ['1 0 9-F', '1 1 2-1'])
})

test('a confirmed move stays, is not shown twice, and is the point to resume from', () => {
  const { own, shows, waits, home } = table()
  own.play('9-F')
  assert.deepEqual([shows(), waits()], [2, true])
  own.moved(1, 1, '9-F', '')
  assert.deepEqual([shows(), waits(), home(), ...(own.resume ?? [])], [0, false, 1, 1, 1])
})

test('undo is an entry like any other', () => {
  const { own, home } = table()
  own.play('9-F')
  own.moved(1, 1, '9-F', '')
  assert.deepEqual([own.play('undo'), home()], [true, 0])
  own.moved(1, 2, 'undo', '')
  assert.deepEqual([...(own.resume ?? []), own.play('undo')], [1, 2, false])
})

test('a drawn card lies face down until the server reveals it, and is known after that', () => {
  const { own, board, shows } = table()
  own.play('draw')
  assert.deepEqual(board().waste, [rules.HIDDEN])
  own.moved(1, 1, 'draw', 'QD')
  assert.equal(rules.names(board().waste), 'QD')
  own.play('undo')
  own.moved(1, 2, 'undo', '')
  assert.equal(shows(), 4)
  own.play('draw')
  own.moved(1, 3, 'draw', 'QD')
  assert.deepEqual([shows(), rules.names(board().waste)], [1, 'QD'])
})

test('a refused move is undone with all moves after it, and is reported once', () => {
  const { own, refusals, top } = table()
  own.play('2-1')
  own.play('3-1')
  own.unmoved(1, 0, WRONG)
  own.unmoved(1, 1, OUT_OF_TURN)
  assert.deepEqual([top(1), refusals], ['TH', ['illegal-move']])
})

test('the refusal of an undone move does not undo a newer move with the same number', () => {
  const { own, waits, home } = table()
  own.play('2-1')
  own.play('3-1')
  own.unmoved(1, 0, WRONG)
  own.play('9-F')
  own.play('4-3')
  own.unmoved(1, 1, OUT_OF_TURN)
  assert.equal(waits(), true)
  own.moved(1, 1, '9-F', '')
  own.moved(1, 2, '4-3', '')
  assert.deepEqual([waits(), home()], [false, 1])
})

test('a move without a connection is sent after the reconnect', () => {
  const { own, net, sent } = table()
  net.up = false
  own.lost()
  own.play('9-F')
  assert.deepEqual(sent, [])
  net.up = true
  own.resend()
  assert.deepEqual(sent, ['1 0 9-F'])
})

test('a move without an answer is resent, and a second answer changes nothing', () => {
  const { own, sent, home } = table()
  own.play('9-F')
  own.lost()
  own.moved(1, 1, '9-F', '') // the server already had this move
  own.resend()
  assert.deepEqual([sent, own.moved(1, 1, '9-F', ''), home()], [['1 0 9-F'], true, 1])
})

test('the whole log may contain some of the pending moves; the others are sent', () => {
  const { own, sent, top } = table()
  own.play('9-F')
  own.play('2-1')
  own.lost()
  own.begin(1, 'maria', START, [['9-F', '']])
  assert.equal(top(1), '9S')
  sent.length = 0
  own.resend()
  assert.deepEqual(sent, ['1 1 2-1'])
})

test('a move of another tab replaces the pending moves', () => {
  const reloaded = table()
  reloaded.own.play('9-F')
  reloaded.own.play('2-1')
  reloaded.own.lost()
  reloaded.own.begin(1, 'maria', START, [['3-2', '']])
  assert.deepEqual([reloaded.waits(), reloaded.top(2)], [false, '8D'])
  const { own, waits, home, top } = table()
  own.play('9-F')
  own.moved(1, 1, '3-2', '')
  assert.deepEqual([waits(), home(), top(2)], [false, 0, '8D'])
})

test('a gap in the log is noticed, and a new race forgets the old one', () => {
  assert.equal(table().own.moved(1, 2, '9-F', ''), false)
  const { own, waits, home } = table()
  own.play('9-F')
  own.begin(2, 'maria', START, [])
  assert.deepEqual([waits(), own.moved(1, 1, '9-F', ''), home()], [false, true, 0])
})
