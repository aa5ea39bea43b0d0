import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ghostsOf, latePlace } from '../../../src/model/replay/ghost.js'
import { recordOf } from './records.js'

const record = recordOf('solved')

test('a ghost makes the racer’s moves at the same times', () => {
  const [ghost] = ghostsOf(record, 2)
  const log = record.logs.find(([seat]) => seat === 2)?.[1] ?? []
  assert.equal(ghost(-3000).moves, 0)
  for (const n of [1, 40, 100]) assert.equal(ghost(log[n][0]).moves, n + 1)
})

test('a ghost ends like the racer', () => {
  const [ghost] = ghostsOf(record, 2)
  const took = record.racers[1].when - record.starts_at
  assert.equal(ghost(took - 1).state, 'racing')
  const { state, home, ms } = ghost(took)
  assert.deepEqual([state, home, ms], ['solved', 104, took])
})

test('only racers have ghosts, and all of them those that made a move', () => {
  for (const seat of [0, 77]) assert.deepEqual(ghostsOf(record, seat), [])
  const moved = record.racers.filter(({ moves }) => moves > 0)
  assert.deepEqual(
    ghostsOf(record, 'all').map((ghost) => ghost(0).seat),
    moved.map(({ seat }) => seat),
  )
})

test('a late player gets the place that the result would have had', () => {
  const { when } = record.racers[1]
  const ms = when - record.starts_at
  const count = record.racers.filter(({ place }) => place !== null).length + 1
  const won = { isWon: true, home: 104, moves: 1000 }
  assert.deepEqual(latePlace(record, { ...won, ms: ms - 1 }), { place: 1, count })
  assert.equal(latePlace(record, { ...won, ms: ms + 1 }).place, 2)
  assert.deepEqual(latePlace(record, { isWon: false, ms: 1, home: 0, moves: 1 }), { place: count, count })
})
