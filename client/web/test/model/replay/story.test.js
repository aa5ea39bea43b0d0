import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storyOf } from '../../../src/model/replay/story.js'
import { recordOf } from './records.js'

test('the margin of a win is taken at the win, and not at the end', () => {
  const { behind, gaps, turn, lead } = storyOf(recordOf('solved'))
  assert.deepEqual([behind, gaps], [1, { 1: 1, 4: 94, 5: 104 }], 'the second wins a moment later')
  assert.deepEqual(turn, { seat: 2, ms: 63_000 })
  assert.deepEqual(lead, { seat: 2, ms: 63_000, length: 226_500 }, 'a tie does not end a lead')
  const alone = storyOf(recordOf('winnable with one star'))
  assert.deepEqual([alone.behind, alone.lead], [86, { seat: 1, ms: 42_000, length: 252_000 }], 'nobody leads after a win')
})

test('without a win or a leader, a story is short', () => {
  assert.deepEqual(storyOf(recordOf('a high number')), { behind: null, gaps: {}, turn: null, run: null, lead: null })
  const { behind, run } = storyOf(recordOf('stuck'))
  assert.deepEqual([behind, run], [null, { seat: 2, ms: 56_635, count: 4 }])
  assert.equal(storyOf(recordOf('equal places')).turn, null)
})
