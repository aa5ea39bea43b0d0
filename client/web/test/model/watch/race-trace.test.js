import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as traces from '../../../src/model/watch/race-trace.js'
import { joined, pluck, rises } from '../../helpers.js'

test('a line has a point for each change of the cards home', () => {
  const trace = traces.createTrace(8)
  for (const [ms, home] of [[400, 8], [900, 8], [1500, 9], [2500, 11]]) trace.note(1, ms, home) // biome-ignore format: pairs
  assert.equal(joined(trace.of(1)), '0,8 1500,9 2500,11')
  assert.equal(joined(trace.of(7)), '0,8')
})

test('a line of a long race has a limited number of points, with the last one', () => {
  const trace = traces.createTrace(0)
  for (let ms = 0; ms < 3_600_000; ms += 500) trace.note(1, ms, (ms / 500) % 2)
  const points = trace.of(1)
  assert.ok(points.length <= traces.MOST_POINTS)
  assert.deepEqual(points[0], [0, 0])
  assert.ok(points[points.length - 1][0] >= 3_599_000)
  assert.ok(rises(points.map(([ms]) => ms)))
})

test('a late spectator gets the earlier points, and keeps the later ones', () => {
  const trace = traces.createTrace(0)
  trace.note(1, 60_000, 12)
  trace.note(2, 60_000, 0)
  assert.deepEqual([traces.beginsLate(trace.of(1)), traces.beginsLate(trace.of(2))], [true, false])
  trace.note(1, 61_000, 13)
  const earlier = /** @type {[number, number][]} */ ([5000, 59_000].map((ms) => [ms, ms === 5000 ? 1 : 12]))
  trace.recall([[1, earlier]])
  assert.equal(joined(trace.of(1)), '0,0 5000,1 59000,12 61000,13')
  assert.equal(traces.beginsLate(trace.of(1)), false)
})

test('the leaders and the chosen racer are drawn, each line with its own style', () => {
  const lanes = /** @type {any[]} */ (Array.from({ length: 500 }, (_, i) => ({ seat: i + 1 })))
  assert.deepEqual(pluck(traces.drawnLanes(lanes, 3), 'seat'), [1, 2, 3, 4, 5, 6, 7, 8])
  const drawn = pluck(traces.drawnLanes(lanes, 400), 'seat')
  assert.deepEqual(drawn, [1, 2, 3, 4, 5, 6, 7, 400])
  const looks = traces.looksOf(new Map(), drawn)
  const later = traces.looksOf(looks, [9, 2, 400, 1, 3, 4, 5, 6])
  assert.deepEqual([later.get(2), later.get(9)], [looks.get(2), looks.get(7)], 'the same, and a free one')
  for (const some of [looks, later]) assert.equal(new Set(some.values()).size, traces.MOST_LINES)
})

test('labels do not overlap, and the axis grows in steps', () => {
  for (const wanted of [[50, 50, 50], [10, 11, 190, 195], [0], [200, 199, 198, 197]]) {
    const places = traces.labelPlaces(wanted, 15, 10, 200).sort((a, b) => a - b)
    assert.ok(places.every((place, i) => i === 0 || place - places[i - 1] >= 15))
    assert.ok(places[0] >= 10 && places[places.length - 1] <= 200)
  }
  assert.deepEqual(traces.labelPlaces([100, 30], 15, 10, 200), [100, 30])
  for (let ms = 0; ms < 12 * 3_600_000; ms += 77_777) assert.ok(traces.lengthFor(ms) > ms)
  const minutes = [0, 59_999, 60_000, 7_200_000, 7_799_999].map((ms) => traces.lengthFor(ms) / 60_000)
  assert.deepEqual(minutes, [1, 1, 2, 130, 130])
})
