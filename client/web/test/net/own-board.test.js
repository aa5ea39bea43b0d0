import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTrack } from '../../src/net/own-board.js'
import * as rules from '../../src/rules/rules.js'

// Maria: nine columns of four, alternating colours, one card at a time.
const START = ['2C3C4CTH', '2D3D4D9S', '2H3H4H8D', '2S3S4S7C', '5C6C7CKH', '5D6D7DQS', '5H6H7HJD', '5S6S7STC', '8C9CTCAS']

function table() {
  /** @type {any[]} */
  const sent = []
  /** @type {any[]} */
  const refusals = []
  /** @type {any} */
  let shown
  let shows = 0
  let waits = false
  const net = { up: true }
  const track = createTrack(rules, {
    send(...message) {
      if (net.up) sent.push(message)
      return net.up
    },
    onShown(now) {
      shown = now
      shows += 1
    },
    onWaiting: (now) => (waits = now),
    onRefused: (why) => refusals.push(why.code),
  })
  track.begin(1, 'maria', START, [])
  const wrong = { code: 'illegal-move', message: 'That is not allowed here.' }
  return {
    track,
    sent,
    refusals,
    net,
    wrong,
    get board() {
      return shown.board
    },
    get waits() {
      return waits
    },
    /** How often a board was shown since the last read of `shows`. */
    get shows() {
      const since = shows
      shows = 0
      return since
    },
  }
}

const top = (/** @type {any} */ board, /** @type {number} */ column) => rules.names(board.columns[column - 1].slice(-1))

test('a move shows at once and goes out with its number', () => {
  const it = table()
  assert.equal(it.track.play('9-F'), true)
  assert.equal(it.board.home, 1)
  assert.equal(it.track.play('2-1'), true)
  assert.equal(top(it.board, 1), '9S')
  assert.deepEqual(it.sent, [
    [1, 0, '9-F'],
    [1, 1, '2-1'],
  ])
})

test('a move that is not legal goes nowhere', () => {
  const it = table()
  assert.equal(it.track.play('1-2'), false)
  assert.deepEqual(it.sent, [])
})

test('a confirmed move stays, and its number is the resume point', () => {
  const it = table()
  it.track.play('9-F')
  it.track.moved(1, 1, '9-F', '')
  assert.equal(it.waits, false)
  assert.equal(it.board.home, 1)
  assert.deepEqual(it.track.resume, [1, 1])
})

test('a move of one’s own is shown once, and not again when it is confirmed', () => {
  const it = table()
  assert.equal(it.shows, 1)
  it.track.play('9-F')
  assert.equal(it.waits, true)
  it.track.moved(1, 1, '9-F', '')
  it.track.play('undo')
  it.track.moved(1, 2, 'undo', '')
  assert.equal(it.waits, false)
  assert.equal(it.shows, 2)
})

test('a card that was drawn before is shown once when it is drawn again', () => {
  const it = table()
  it.track.play('draw')
  it.track.moved(1, 1, 'draw', 'QD')
  it.track.play('undo')
  it.track.moved(1, 2, 'undo', '')
  assert.equal(it.shows, 4)
  it.track.play('draw')
  it.track.moved(1, 3, 'draw', 'QD')
  assert.equal(it.shows, 1)
  assert.equal(rules.names(it.board.waste), 'QD')
})

test('a drawn card lies face down until the server says which it is', () => {
  const it = table()
  it.track.play('draw')
  assert.deepEqual(it.board.waste, [rules.HIDDEN])
  it.track.moved(1, 1, 'draw', 'QD')
  assert.equal(rules.names(it.board.waste), 'QD')
})

test('a refused move goes back with everything that stands on it, and the reason is told once', () => {
  const it = table()
  it.track.play('2-1')
  it.track.play('3-1')
  it.track.unmoved(1, 0, it.wrong)
  it.track.unmoved(1, 1, { code: 'out-of-turn', message: '' })
  assert.equal(top(it.board, 1), 'TH')
  assert.deepEqual(it.refusals, ['illegal-move'])
})

test('the refusal of a dropped move does not take a newer move with the same number', () => {
  const it = table()
  it.track.play('2-1')
  it.track.play('3-1')
  it.track.unmoved(1, 0, it.wrong)
  it.track.play('9-F')
  it.track.play('4-3')
  it.track.unmoved(1, 1, { code: 'out-of-turn', message: '' })
  assert.equal(it.waits, true)
  it.track.moved(1, 1, '9-F', '')
  it.track.moved(1, 2, '4-3', '')
  assert.equal(it.waits, false)
  assert.equal(it.board.home, 1)
})

test('what was played without a line is sent when it is back', () => {
  const it = table()
  it.net.up = false
  it.track.lost()
  it.track.play('9-F')
  assert.deepEqual(it.sent, [])
  it.net.up = true
  it.track.resend()
  assert.deepEqual(it.sent, [[1, 0, '9-F']])
})

test('a move whose answer was lost is said again, and its second answer changes nothing', () => {
  const it = table()
  it.track.play('9-F')
  it.track.lost()
  it.track.moved(1, 1, '9-F', '') // the server already had this move
  it.track.resend()
  assert.deepEqual(it.sent, [[1, 0, '9-F']])
  assert.equal(it.track.moved(1, 1, '9-F', ''), true)
  assert.equal(it.board.home, 1)
})

test('after a break the whole account may come, with some of ours in it', () => {
  const it = table()
  it.track.play('9-F')
  it.track.play('2-1')
  it.track.lost()
  it.track.begin(1, 'maria', START, [['9-F', '']])
  assert.equal(top(it.board, 1), '9S')
  it.sent.length = 0
  it.track.resend()
  assert.deepEqual(it.sent, [[1, 1, '2-1']])
})

test('if another tab has played on, what was pending here is dropped', () => {
  const it = table()
  it.track.play('9-F')
  it.track.play('2-1')
  it.track.lost()
  it.track.begin(1, 'maria', START, [['3-2', '']])
  assert.equal(it.waits, false)
  assert.equal(top(it.board, 2), '8D')
})

test('a confirmed move from elsewhere takes the place of what was pending', () => {
  const it = table()
  it.track.play('9-F')
  it.track.moved(1, 1, '3-2', '')
  assert.equal(it.waits, false)
  assert.equal(it.board.home, 0)
  assert.equal(top(it.board, 2), '8D')
})

test('a gap in the account is noticed', () => {
  const it = table()
  assert.equal(it.track.moved(1, 2, '9-F', ''), false)
})

test('undo is an entry like any other', () => {
  const it = table()
  it.track.play('9-F')
  it.track.moved(1, 1, '9-F', '')
  assert.equal(it.track.play('undo'), true)
  assert.equal(it.board.home, 0)
  it.track.moved(1, 2, 'undo', '')
  assert.deepEqual(it.track.resume, [1, 2])
  assert.equal(it.track.play('undo'), false)
})

test('a new race forgets the old one', () => {
  const it = table()
  it.track.play('9-F')
  it.track.begin(2, 'maria', START, [])
  assert.equal(it.waits, false)
  assert.equal(it.track.moved(1, 1, '9-F', ''), true)
  assert.equal(it.board.home, 0)
})
