import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReel, pauseFor } from '../../src/watch/reel.js'

/** @import { Entry } from '../../src/model/watch/gallery.js' */

// Maria: nine columns of four, alternating colours, one card at a time.
const START = ['2C3C4CTH', '2D3D4D9S', '2H3H4H8D', '2S3S4S7C', '5C6C7CKH', '5D6D7DQS', '5H6H7HJD', '5S6S7STC', '8C9CTCAS']
/** @type {Entry[]} */
const LOG = [
  ['9-F', ''],
  ['draw', 'KS'],
  ['undo', ''],
  ['2-1', ''],
]

test('a board follows its log entry by entry', () => {
  const reel = createReel('maria', START)
  reel.step(LOG)
  assert.deepEqual([reel.n, reel.board.home], [1, 1])
  reel.step(LOG)
  assert.deepEqual([reel.n, reel.board.waste.length], [2, 1])
  reel.step(LOG)
  assert.deepEqual([reel.n, reel.board.waste.length], [3, 0])
})

test('a late spectator sees all entries immediately', () => {
  const reel = createReel('maria', START)
  reel.catchUp(LOG)
  assert.deepEqual([reel.n, reel.board.column(1).length], [4, 5])
})

test('a step beyond the end of the log changes nothing', () => {
  const reel = createReel('maria', START)
  reel.catchUp(LOG)
  reel.step(LOG)
  assert.equal(reel.n, 4)
})

test('far behind, only the last moves are shown one by one', () => {
  const reel = createReel('maria', START)
  const long = Array.from({ length: 100 }, (_, i) => /** @type {[string, string]} */ (i % 2 ? ['undo', ''] : ['2-1', '']))
  reel.step(long)
  assert.equal(reel.n, 77)
})

test('a shorter log does not continue, and waiting entries are shown faster', () => {
  const reel = createReel('maria', START)
  reel.catchUp(LOG)
  assert.equal(reel.follows(LOG.slice(0, 2)), false)
  assert.equal(reel.follows(LOG), true)
  assert.equal(pauseFor(1), 240)
  assert.equal(pauseFor(16), 100)
  assert.equal(pauseFor(24), 1600 / 24)
  assert.equal(pauseFor(1000), 60)
})
