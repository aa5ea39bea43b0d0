import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDone, standingsAt, stepFrom, timelineOf } from '../../../src/model/replay/timeline.js'
import { rises } from '../../helpers.js'
import { ALL, recordOf } from './records.js'

/** @import { Line } from '../../../src/model/replay/racer-line.js' */
/** @import { Axis } from '../../../src/model/replay/timeline.js' */

/** Calls a check for each line on each axis of some records. @param {string[]} names @param {(axis: Axis, line: Line, name: string) => void} check */
function onEachAxis(names, check) {
  for (const name of names) {
    const { lines, axes } = timelineOf(recordOf(name))
    for (const axis of Object.values(axes)) for (const line of lines) check(axis, line, `${name} ${axis.key}`)
  }
}

test('an axis starts with no entry and ends with all', () => {
  onEachAxis(ALL, (axis, line, name) => {
    assert.equal(axis.count(line, axis.length), line.length, name)
    if (!line.times.includes(0)) assert.equal(axis.count(line, 0), 0, name)
  })
})

test('entries happen in order along both axes', () => {
  onEachAxis(['solved', 'solved with redeals', 'stuck'], (axis, line, name) => {
    const counts = Array.from({ length: 501 }, (_, i) => axis.count(line, (axis.length * i) / 500))
    assert.ok(rises(counts), name)
  })
})

test('the place of an entry has that many entries', () => {
  onEachAxis(['solved', 'solved with redeals', 'long'], (axis, line, name) => {
    for (let n = 0; n <= line.length; n += 1) {
      const count = axis.count(line, axis.place(line, n))
      // Entries within one ms have the same place, so all of them count.
      assert.ok(axis.key === 'time' ? count >= n : count === n, `${name} ${n}`)
    }
  })
})

test('along the stock, all draw the same card at the same moment', () => {
  const { lines, axes } = timelineOf(recordOf('solved'))
  for (const line of lines) {
    for (let card = 1; card <= line.drawn[line.length]; card += 1) {
      assert.equal(line.drawn[axes.stock.count(line, card)], card)
      assert.equal(line.drawn[axes.stock.count(line, card - 0.001)], card - 1)
    }
  }
})

test('a step leads to the next entry of any board, and back', () => {
  const { lines, axes } = timelineOf(recordOf('short'))
  const axis = axes.time
  const all = (/** @type {number} */ position) => lines.reduce((sum, line) => sum + axis.count(line, position), 0)
  let position = 0
  let happened = all(0)
  const places = [0]
  while (position < axis.length) {
    position = stepFrom(axis, lines, position, 1)
    if (position === axis.length) break
    assert.ok(all(position) > happened)
    happened = all(position)
    places.push(position)
  }
  assert.equal(happened, 11)
  for (let i = places.length - 1; i > 0; i -= 1) {
    position = stepFrom(axis, lines, i === places.length - 1 ? axis.length : places[i], -1)
    assert.equal(position, places[i - 1])
  }
  assert.equal(stepFrom(axis, lines, 0, -1), 0)
})

test('between two entries, a step back undoes the last one', () => {
  const { lines, axes } = timelineOf(recordOf('short'))
  const [line] = lines
  const middle = (line.times[1] + line.times[2]) / 2
  assert.equal(axes.time.count(line, stepFrom(axes.time, [line], middle, -1)), 1)
})

test('steps can be those of one board', () => {
  const { line, axes } = timelineOf(recordOf('solved'))
  const bob = line(2)
  let position = 0
  for (let n = 1; n <= 20; n += 1) {
    position = stepFrom(axes.stock, [bob], position, 1)
    assert.equal(axes.stock.count(bob, position), n)
  }
})

test('a racer without moves does not stop the steps', () => {
  const { line, axes } = timelineOf(recordOf('equal places'))
  assert.equal(stepFrom(axes.time, [line(6)], 5, 1), axes.time.length)
  assert.equal(stepFrom(axes.time, [line(6)], 5, -1), 0)
  assert.equal(axes.stock.count(line(6), 3), 0)
})

test('at the end the racers are as in the record', () => {
  for (const name of ALL) {
    const timeline = timelineOf(recordOf(name))
    const lanes = standingsAt(timeline, timeline.axes.time, timeline.axes.time.length)
    for (const { seat, place, state, home, moves } of timeline.record.racers) {
      const lane = lanes.find((one) => one.seat === seat)
      assert.deepEqual([lane?.state, lane?.home, lane?.moves], [state, home, moves], name)
      if (place !== null && state !== 'disqualified' && !timeline.record.racers.some((one) => one.place === null)) {
        assert.equal(lane?.rank, place, name)
      }
    }
  }
})

test('at the start all are equal and racing', () => {
  const timeline = timelineOf(recordOf('solved'))
  const lanes = standingsAt(timeline, timeline.axes.time, 0)
  for (const { rank, state, home, moves } of lanes) assert.deepEqual([rank, state, home, moves], [1, 'racing', 0, 0])
})

test('the end is hidden until it comes', () => {
  const timeline = timelineOf(recordOf('solved'))
  for (const axis of Object.values(timeline.axes)) {
    for (let i = 0; i < 100; i += 1) {
      const position = (axis.length * i) / 100
      for (const { seat, state, ms, place, home } of standingsAt(timeline, axis, position)) {
        const line = timeline.line(seat)
        if (isDone(axis, line, position)) continue
        assert.deepEqual([state, ms, place, home], ['racing', null, null, line.home[axis.count(line, position)]])
      }
    }
  }
})

test('the leader has most cards home', () => {
  const timeline = timelineOf(recordOf('stuck'))
  for (let ms = 0; ms < timeline.axes.time.length; ms += 5000) {
    const [first, second] = standingsAt(timeline, timeline.axes.time, ms)
    assert.ok(first.home >= second.home)
  }
})
