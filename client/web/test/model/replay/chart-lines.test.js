import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf, pointsOf, rememberedPoints, rowsOf, standAt, ticksOf, topOf } from '../../../src/model/replay/chart-lines.js'
import { timelineOf } from '../../../src/model/replay/timeline.js'
import { joined } from '../../helpers.js'
import { ALL, recordOf } from './records.js'

test('a line ends with the final number of cards home', () => {
  for (const name of ALL) {
    const { lines, axes } = timelineOf(recordOf(name))
    for (const axis of Object.values(axes)) {
      for (const line of lines) assert.equal(pointsOf(axis, line).at(-1)?.[1], line.racer.home, `${name} ${axis.key}`)
    }
  }
})

test('a line shows nothing beyond the position', () => {
  const { lines, axes } = timelineOf(recordOf('stuck'))
  for (const axis of Object.values(axes)) {
    for (let until = 0; until <= axis.length; until += axis.length / 64) {
      for (const line of lines) {
        const count = axis.count(line, until)
        const { at, home, most } = standAt(pointsOf(axis, line), until)
        assert.ok(at <= until)
        assert.deepEqual([home, most], [line.home[count], Math.max(...line.home.slice(0, count + 1))])
      }
    }
  }
})

test('the points of a line are computed once for each axis', () => {
  const { lines, axes } = timelineOf(recordOf('stuck'))
  const points = rememberedPoints(axes.time)
  assert.equal(points(lines[0]), points(lines[0]))
  assert.notEqual(points(lines[0]), points(lines[1]))
  assert.deepEqual(points(lines[0]), pointsOf(axes.time, lines[0]))
})

test('the line of a racer ends with the racer’s race', () => {
  const { line, axes } = timelineOf(recordOf('stuck'))
  const [first] = [line(1), line(2)].sort((a, b) => a.ended - b.ended)
  assert.equal(pointsOf(axes.time, first).at(-1)?.[0], first.ended)
})

test('a line is drawn in steps', () => {
  const points = [0, 10, 25].map((x, y) => /** @type {[number, number]} */ ([x, y]))
  const path = pathOf(points, (x) => x, (y) => 100 - y) // biome-ignore format: two functions
  assert.equal(path, 'M0 100H10V99H25V98')
})

test('the marks of an axis are round and few, and the chart is high enough', () => {
  const { axes } = timelineOf(recordOf('solved'))
  assert.deepEqual(ticksOf(axes.time, 6), [0, 120_000, 240_000, 360_000, 480_000, 600_000])
  const { axes: long } = timelineOf(recordOf('long'))
  assert.ok(ticksOf(long.time, 6).length <= 7)
  assert.ok(ticksOf(long.stock, 6).length <= 7)
  assert.deepEqual([0, 22, 60].map(topOf), [8, 28, 68])
  for (let most = 0; most <= 104; most += 1) assert.ok(topOf(most) >= most && topOf(most) % 4 === 0)
})

test('the rows have the numbers of the lines, up to the position', () => {
  const { lines, axes } = timelineOf(recordOf('solved'))
  const rows = rowsOf(axes.time, lines, 200_000)
  assert.equal(rows.at(-1)?.position, 200_000)
  assert.ok(rows.length <= 13)
  for (const { position, homes } of rows) assert.equal(joined(homes), joined(lines.map(({ home, at }) => home[at(position)])))
})
