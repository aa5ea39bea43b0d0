import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDone, standingsAt, timelineOf } from '../../../src/model/replay/timeline.js'
import { ALL, recordOf } from './records.js'

test('at the end everybody stands where the record places them', () => {
  for (const name of ALL) {
    const timeline = timelineOf(recordOf(name))
    const lanes = standingsAt(timeline, timeline.axes.time, timeline.axes.time.length)
    for (const { seat, place, state, home } of timeline.record.racers) {
      const lane = lanes.find((one) => one.seat === seat)
      assert.deepEqual([lane?.state, lane?.home], [state, home], name)
      if (place !== null && state !== 'disqualified' && !timeline.record.racers.some((one) => one.place === null)) {
        assert.equal(lane?.rank, place, name)
      }
    }
  }
})

test('at the start all are equal, and race', () => {
  const timeline = timelineOf(recordOf('solved'))
  const lanes = standingsAt(timeline, timeline.axes.time, 0)
  assert.deepEqual(
    lanes.map(({ rank, state, home, moves }) => [rank, state, home, moves]),
    lanes.map(() => [1, 'racing', 0, 0]),
  )
})

test('nothing of the end is told before it is there', () => {
  const timeline = timelineOf(recordOf('solved'))
  const { time, stock } = timeline.axes
  for (const axis of [time, stock]) {
    for (let i = 0; i < 100; i += 1) {
      const position = (axis.length * i) / 100
      for (const lane of standingsAt(timeline, axis, position)) {
        const line = timeline.line(lane.seat)
        if (isDone(axis, line, position)) continue
        assert.deepEqual([lane.state, lane.ms, lane.place], ['racing', null, null])
        assert.equal(lane.home, line.home[axis.count(line, position)])
      }
    }
  }
})

test('whoever reached the same count first stands before', () => {
  const timeline = timelineOf(recordOf('stuck'))
  for (let ms = 0; ms < timeline.axes.time.length; ms += 5000) {
    const [first, second] = standingsAt(timeline, timeline.axes.time, ms)
    assert.ok(first.home >= second.home)
  }
})
