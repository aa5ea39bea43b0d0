import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_SEEN, withMore } from '../../../src/model/watch/reactions.js'
import { SIGNS } from '../../../src/protocol/constants.js'
import { joined } from '../../helpers.js'

/** @import { Bubble } from '../../../src/model/watch/reactions.js' */

test('equal signs are one bubble, and only the latest few are shown', () => {
  const bubbles = withMore([], { counts: [2, 0, 0, 1, 0, 0], racers: [[5, 3]] }, 7)
  assert.equal(joined(bubbles.map(({ id, sign, count, seat }) => [id, sign, count, seat])), '7,clap,2,0 8,fire,1,0 9,fire,1,5')
  /** @type {Bubble[]} */
  let seen = []
  for (let id = 0; id < 600; id += 6) seen = withMore(seen, { counts: [99, 99, 99, 99, 99, 99], racers: [] }, id)
  assert.equal(seen.length, MOST_SEEN)
  assert.equal(seen.at(-1)?.id, 599)
  assert.deepEqual(
    withMore([], { counts: [1, 1, 1, 1, 1, 1, 5], racers: [] }, 0).length,
    SIGNS.length,
    'a newer server may have more signs',
  )
})
