import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as playHead from '../../../src/model/replay/play-head.js'
import { timelineOf } from '../../../src/model/replay/timeline.js'
import { recordOf } from './records.js'

const { axes, line } = timelineOf(recordOf('solved'))

test('the play head moves while playing, at its speed', () => {
  assert.equal(playHead.wentOn(playHead.AT_START, axes, 1000).position, 0)
  const playing = playHead.toggled(playHead.AT_START, axes)
  assert.equal(playHead.wentOn(playing, axes, 1000).position, 1000)
  assert.equal(playHead.wentOn(playHead.faster(playing, 1), axes, 1000).position, 2000)
  assert.equal(playHead.wentOn(playHead.faster(playing, -1), axes, 1000).position, 500)
})

test('speeds go from a half to sixteen', () => {
  let head = playHead.AT_START
  for (let i = 0; i < 10; i += 1) head = playHead.faster(head, 1)
  assert.equal(head.speed, 16)
  for (let i = 0; i < 10; i += 1) head = playHead.faster(head, -1)
  assert.equal(head.speed, 0.5)
})

test('playing stops at the end, and seen positions stay seen', () => {
  const end = playHead.wentOn(playHead.toggled(playHead.AT_START, axes), axes, 10_000_000)
  assert.deepEqual([end.position, end.playing], [axes.time.length, false])
  const again = playHead.toggled(end, axes)
  assert.deepEqual([again.position, again.playing], [0, true])
  const head = playHead.movedTo(playHead.movedTo(playHead.AT_START, axes, 5000), axes, 1000)
  assert.deepEqual([head.position, head.seen.time], [1000, 5000])
  assert.equal(playHead.isEndSeen(head, axes), false)
  assert.equal(playHead.isEndSeen(playHead.movedTo(head, axes, Infinity), axes), true)
  assert.equal(playHead.movedTo(playHead.AT_START, axes, -5).position, 0)
  assert.equal(playHead.movedTo(playHead.AT_START, axes, Infinity).position, axes.time.length)
})

test('the other axis shows the same state of the board', () => {
  const bob = line(2)
  const head = playHead.movedTo(playHead.AT_START, axes, bob.times[80])
  const n = axes.time.count(bob, head.position)
  const switched = playHead.switchedTo(head, axes, bob, 'stock')
  assert.equal(switched.along, 'stock')
  assert.equal(axes.stock.count(bob, switched.position), n)
  const back = playHead.switchedTo(switched, axes, bob, 'time')
  assert.equal(axes.time.count(bob, back.position), n)
})

test('a moment is read from a link, and written without loss', () => {
  assert.deepEqual(playHead.momentOf('#t=83'), { along: 'time', position: 83_000, seat: 0 })
  assert.deepEqual(playHead.momentOf('#t=83.4&board=2'), { along: 'time', position: 83_400, seat: 2 })
  assert.deepEqual(playHead.momentOf('#card=23'), { along: 'stock', position: 23, seat: 0 })
  for (const hash of ['', '#', '#t=', '#t=-4', '#t=1e9', '#t=x', '#ghost=KQXWVD/1/2', '#t=99999999'])
    assert.equal(playHead.momentOf(hash), null, hash)
  assert.equal(playHead.fragmentOf({ along: 'time', position: 83_401, seat: 0 }), '#t=83.5')
  assert.equal(playHead.fragmentOf({ along: 'time', position: 0, seat: 3 }), '#t=0&board=3')
  for (const position of [0, 100, 12_300, 99_999]) {
    assert.ok((playHead.momentOf(playHead.fragmentOf({ along: 'time', position, seat: 1 }))?.position ?? -1) >= position)
  }
  const card = /** @type {const} */ ({ along: 'stock', position: 23.25, seat: 0 })
  assert.deepEqual(playHead.momentOf(playHead.fragmentOf(card)), card)
})
