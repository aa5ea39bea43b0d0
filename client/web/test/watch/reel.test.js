import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReel, pauseFor } from '../../src/watch/reel.js'
import { joined, START } from '../helpers.js'

/** @import { Entry } from '../../src/model/watch/gallery.js' */

const LOG = ['9-F,', 'draw,KS', 'undo,', '2-1,'].map((entry) => /** @type {Entry} */ (entry.split(',')))

test('a board follows its log entry by entry', () => {
  const reel = createReel('maria', START)
  const seen = [1, 2, 3].map(() => {
    reel.step(LOG)
    return [reel.n, reel.board.home, reel.board.waste.length]
  })
  assert.equal(joined(seen), '1,1,0 2,1,1 3,1,0')
})

test('a late spectator sees all entries immediately, and no step leads beyond them', () => {
  const reel = createReel('maria', START)
  reel.catchUp(LOG)
  assert.deepEqual([reel.n, reel.board.column(1).length], [4, 5])
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
  assert.deepEqual([reel.follows(LOG.slice(0, 2)), reel.follows(LOG)], [false, true])
  assert.deepEqual([1, 16, 24, 1000].map(pauseFor), [240, 100, 1600 / 24, 60])
})
