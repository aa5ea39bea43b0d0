import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOwnBoard } from '../../src/net/own-board.js'
import { Refusal } from '../../src/net/refusal.js'
import * as rules from '../../src/rules/rules.js'
import { START } from '../helpers.js'

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

/** Some steps: `play 9-F`, `moved 1 9-F` by the server, `refused 0`, `lost`, `resend`. @param {string} steps @param {ReturnType<typeof table>} it */
function after(steps, it = table()) {
  for (const [step, one = '', two = '', card = ''] of steps.split(', ').map((text) => text.split(' '))) {
    if (step === 'play') it.own.play(one)
    if (step === 'moved') it.own.moved(1, Number(one), two, card)
    if (step === 'refused') it.own.unmoved(1, Number(one), new Refusal(two))
    if (step === 'lost') it.own.lost()
    if (step === 'resend') it.own.resend()
  }
  return it
}

test('undo is an entry like any other', () => {
  const { own, home } = after('play 9-F, moved 1 9-F')
  assert.deepEqual([own.play('undo'), home()], [true, 0])
  own.moved(1, 2, 'undo', '')
  assert.deepEqual([...(own.resume ?? []), own.play('undo')], [1, 2, false])
})

test('a drawn card lies face down until the server reveals it, and is known after that', () => {
  const it = after('play draw, play draw')
  assert.deepEqual(it.sent, ['1 0 draw'], 'one unseen card at most')
  assert.deepEqual(it.board().waste, [rules.HIDDEN])
  after('moved 1 draw QD', it)
  assert.equal(rules.names(it.board().waste), 'QD')
  after('play undo, moved 2 undo', it)
  assert.equal(it.shows(), 4)
  after('play draw, moved 3 draw QD', it)
  assert.deepEqual([it.shows(), rules.names(it.board().waste)], [1, 'QD'])
})

test('a refused move is undone with all moves after it, and is reported once', () => {
  const { refusals, top } = after('play 2-1, play 3-1, refused 0 illegal-move, refused 1 out-of-turn')
  assert.deepEqual([top(1), refusals], ['TH', ['illegal-move']])
})

test('the refusal of an undone move does not undo a newer move with the same number', () => {
  const it = after('play 2-1, play 3-1, refused 0 illegal-move, play 9-F, play 4-3, refused 1 out-of-turn')
  assert.equal(it.waits(), true)
  after('moved 1 9-F, moved 2 4-3', it)
  assert.deepEqual([it.waits(), it.home()], [false, 1])
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
  const { own, sent, home } = after('play 9-F, lost, moved 1 9-F, resend') // the server already had this move
  assert.deepEqual([sent, own.moved(1, 1, '9-F', ''), home()], [['1 0 9-F'], true, 1])
})

test('the whole log may contain some of the pending moves; the others are sent', () => {
  const { own, sent, top } = after('play 9-F, play 2-1, lost')
  own.begin(1, 'maria', START, [['9-F', '']])
  assert.equal(top(1), '9S')
  sent.length = 0
  own.resend()
  assert.deepEqual(sent, ['1 1 2-1'])
})

test('a move of another tab replaces the pending moves', () => {
  const reloaded = after('play 9-F, play 2-1, lost')
  reloaded.own.begin(1, 'maria', START, [['3-2', '']])
  assert.deepEqual([reloaded.waits(), reloaded.top(2)], [false, '8D'])
  const { waits, home, top } = after('play 9-F, moved 1 3-2')
  assert.deepEqual([waits(), home(), top(2)], [false, 0, '8D'])
})

test('a gap in the log is noticed, and a new race forgets the old one', () => {
  assert.equal(table().own.moved(1, 2, '9-F', ''), false)
  const { own, waits, home } = after('play 9-F')
  own.begin(2, 'maria', START, [])
  assert.deepEqual([waits(), own.moved(1, 1, '9-F', ''), home()], [false, true, 0])
})
