import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ghostOf } from '../../../src/model/replay/ghost.js'
import { recordOf } from './records.js'

const record = recordOf('solved')

test('a ghost makes the racer’s moves at the same times', () => {
  const ghost = ghostOf(record, 2)
  const log = record.logs.find(([seat]) => seat === 2)?.[1] ?? []
  assert.equal(ghost?.(-3000).moves, 0)
  for (const n of [1, 40, 100]) assert.equal(ghost?.(log[n][0]).moves, n + 1)
})

test('a ghost ends like the racer', () => {
  const ghost = ghostOf(record, 2)
  const took = record.racers[1].when - record.starts_at
  assert.equal(ghost?.(took - 1).state, 'racing')
  const lane = ghost?.(took)
  assert.deepEqual([lane?.state, lane?.home, lane?.ms], ['solved', 104, took])
})

test('only racers have ghosts', () => {
  for (const seat of [0, 77]) assert.equal(ghostOf(record, seat), null)
})
