import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AT_START, faster, isEndSeen, movedTo, toggled, turnedTo, wentOn } from '../../../src/model/replay/play-head.js'
import { timelineOf } from '../../../src/model/replay/timeline.js'
import { recordOf } from './records.js'

const { axes, line } = timelineOf(recordOf('solved'))

test('time goes on while it plays, as fast as one wants', () => {
  assert.equal(wentOn(AT_START, axes, 1000).position, 0)
  const playing = toggled(AT_START, axes)
  assert.equal(wentOn(playing, axes, 1000).position, 1000)
  assert.equal(wentOn(faster(playing, 1), axes, 1000).position, 2000)
  assert.equal(wentOn(faster(playing, -1), axes, 1000).position, 500)
})

test('speeds go from a half to sixteen', () => {
  let head = AT_START
  for (let i = 0; i < 10; i += 1) head = faster(head, 1)
  assert.equal(head.speed, 16)
  for (let i = 0; i < 10; i += 1) head = faster(head, -1)
  assert.equal(head.speed, 0.5)
})

test('it stops at the end, and plays again from the start', () => {
  const end = wentOn(toggled(AT_START, axes), axes, 10_000_000)
  assert.deepEqual([end.position, end.playing], [axes.time.length, false])
  const again = toggled(end, axes)
  assert.deepEqual([again.position, again.playing], [0, true])
})

test('what was seen stays seen, and the end is seen only there', () => {
  const head = movedTo(movedTo(AT_START, axes, 5000), axes, 1000)
  assert.deepEqual([head.position, head.seen.time], [1000, 5000])
  assert.equal(isEndSeen(head, axes), false)
  assert.equal(isEndSeen(movedTo(head, axes, Infinity), axes), true)
})

test('nobody leaves the race at either end', () => {
  assert.equal(movedTo(AT_START, axes, -5).position, 0)
  assert.equal(movedTo(AT_START, axes, Infinity).position, axes.time.length)
})

test('along the other axis the board one looks at stays as it is', () => {
  const bob = line(2)
  const head = movedTo(AT_START, axes, bob.times[80])
  const n = axes.time.count(bob, head.position)
  const turned = turnedTo(head, axes, bob)
  assert.equal(turned.along, 'stock')
  assert.equal(axes.stock.count(bob, turned.position), n)
  const back = turnedTo(turned, axes, bob)
  assert.equal(axes.time.count(bob, back.position), n)
})
