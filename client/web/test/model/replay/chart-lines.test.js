import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf, pointsOf, rowsOf, ticksOf, topOf } from '../../../src/model/replay/chart-lines.js'
import { timelineOf } from '../../../src/model/replay/timeline.js'
import { ALL, recordOf } from './records.js'

test('a line ends with the cards that were home at the end', () => {
  for (const name of ALL) {
    const { lines, axes } = timelineOf(recordOf(name))
    for (const axis of Object.values(axes)) {
      for (const line of lines)
        assert.equal(pointsOf(axis, line, axis.length).at(-1)?.[1], line.racer.home, `${name} ${axis.key}`)
    }
  }
})

test('nothing is drawn beyond what has been seen', () => {
  const { lines, axes } = timelineOf(recordOf('stuck'))
  for (const axis of Object.values(axes)) {
    const until = axis.length * 0.4
    for (const line of lines) {
      const points = pointsOf(axis, line, until)
      assert.ok(points.every(([position]) => position <= until))
      assert.equal(points.at(-1)?.[1], line.home[axis.count(line, until)])
    }
  }
})

test('the line of who ended before ends there', () => {
  const { line, axes } = timelineOf(recordOf('stuck'))
  const [first] = [line(1), line(2)].sort((a, b) => a.ended - b.ended)
  assert.equal(pointsOf(axes.time, first, axes.time.length).at(-1)?.[0], first.ended)
})

test('a line goes in steps', () => {
  assert.equal(
    pathOf(
      [
        [0, 0],
        [10, 1],
        [25, 2],
      ],
      (x) => x,
      (y) => 100 - y,
    ),
    'M0 100H10V99H25V98',
  )
})

test('the marks along the chart are round, and not too many', () => {
  const { axes } = timelineOf(recordOf('solved'))
  assert.deepEqual(ticksOf(axes.time, 6), [0, 120_000, 240_000, 360_000, 480_000, 600_000])
  const { axes: long } = timelineOf(recordOf('long'))
  assert.ok(ticksOf(long.time, 6).length <= 7)
  assert.ok(ticksOf(long.stock, 6).length <= 7)
})

test('the chart is as high as it has to be', () => {
  assert.equal(topOf(0), 8)
  assert.equal(topOf(22), 28)
  assert.equal(topOf(60), 68)
  for (let most = 0; most <= 104; most += 1) assert.ok(topOf(most) >= most && topOf(most) % 4 === 0)
})

test('the rows say what the lines show, up to what has been seen', () => {
  const { lines, axes } = timelineOf(recordOf('solved'))
  const rows = rowsOf(axes.time, lines, 200_000)
  assert.equal(rows.at(-1)?.position, 200_000)
  assert.ok(rows.length <= 13)
  for (const { position, homes } of rows) {
    assert.deepEqual(
      homes,
      lines.map((line) => line.home[line.at(position)]),
    )
  }
})
