import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  beginsLate,
  createTrace,
  drawnLanes,
  labelPlaces,
  lengthFor,
  looksOf,
  MOST_LINES,
  MOST_POINTS,
} from '../../../src/model/watch/race-trace.js'

/** @param {number} seat @returns {any} */
const lane = (seat) => ({ seat, name: `R${seat}` })

test('a line has a point wherever the number of cards home has changed', () => {
  const trace = createTrace(8)
  trace.note(1, 400, 8)
  trace.note(1, 900, 8)
  trace.note(1, 1500, 9)
  trace.note(1, 2500, 11)
  assert.deepEqual(trace.of(1), [
    [0, 8],
    [1500, 9],
    [2500, 11],
  ])
  assert.deepEqual(trace.of(7), [[0, 8]])
})

test('a race of an hour in which cards go to and fro takes bounded memory', () => {
  const trace = createTrace(0)
  for (let ms = 0; ms < 3_600_000; ms += 500) trace.note(1, ms, (ms / 500) % 2)
  const points = trace.of(1)
  assert.ok(points.length <= MOST_POINTS)
  assert.deepEqual(points[0], [0, 0])
  assert.ok(points[points.length - 1][0] >= 3_599_000, 'the latest is kept')
  assert.ok(points.every(([ms], i) => i === 0 || ms >= points[i - 1][0]))
})

test('who comes in the middle is told what was before, and loses nothing of what came since', () => {
  const trace = createTrace(0)
  trace.note(1, 60_000, 12)
  trace.note(2, 60_000, 0)
  assert.equal(beginsLate(trace.of(1)), true)
  assert.equal(beginsLate(trace.of(2)), false, 'nothing was home before')
  trace.note(1, 61_000, 13)
  trace.recall([
    [
      1,
      [
        [5000, 1],
        [59_000, 12],
      ],
    ],
  ])
  assert.deepEqual(trace.of(1), [
    [0, 0],
    [5000, 1],
    [59_000, 12],
    [61_000, 13],
  ])
  assert.equal(beginsLate(trace.of(1)), false)
})

test('the leaders are drawn, and whom one has chosen, and a line keeps its look', () => {
  const lanes = Array.from({ length: 500 }, (_, i) => lane(i + 1))
  assert.deepEqual(
    drawnLanes(lanes, 3).map(({ seat }) => seat),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  const drawn = drawnLanes(lanes, 400).map(({ seat }) => seat)
  assert.deepEqual(drawn, [1, 2, 3, 4, 5, 6, 7, 400])
  const looks = looksOf(new Map(), drawn)
  assert.equal(new Set(looks.values()).size, MOST_LINES)
  const later = looksOf(looks, [9, 2, 400, 1, 3, 4, 5, 6])
  assert.equal(later.get(2), looks.get(2))
  assert.equal(later.get(9), looks.get(7), 'what has become free')
  assert.equal(new Set(later.values()).size, MOST_LINES)
})

test('no label covers another, and none lies outside', () => {
  for (const wanted of [[50, 50, 50], [10, 11, 190, 195], [0], [200, 199, 198, 197]]) {
    const places = labelPlaces(wanted, 15, 10, 200)
    const order = places.toSorted((a, b) => a - b)
    assert.ok(order.every((place, i) => i === 0 || place - order[i - 1] >= 15))
    assert.ok(order[0] >= 10 && order[order.length - 1] <= 200)
  }
  assert.deepEqual(labelPlaces([100, 30], 15, 10, 200), [100, 30])
})

test('the axis is longer than the race, and stays so for a while', () => {
  for (let ms = 0; ms < 12 * 3_600_000; ms += 77_777) assert.ok(lengthFor(ms) > ms)
  assert.equal(lengthFor(0), lengthFor(59_000))
})
