import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AT_START,
  faster,
  fragmentOf,
  isEndSeen,
  momentOf,
  movedTo,
  switchedTo,
  toggled,
  wentOn,
} from '../../../src/model/replay/play-head.js'
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
  const turned = switchedTo(head, axes, bob)
  assert.equal(turned.along, 'stock')
  assert.equal(axes.stock.count(bob, turned.position), n)
  const back = switchedTo(turned, axes, bob)
  assert.equal(axes.time.count(bob, back.position), n)
})

test('a link leads to a moment', () => {
  assert.deepEqual(momentOf('#t=83'), { along: 'time', position: 83_000, seat: 0 })
  assert.deepEqual(momentOf('#t=83.4&board=2'), { along: 'time', position: 83_400, seat: 2 })
  assert.deepEqual(momentOf('#card=23'), { along: 'stock', position: 23, seat: 0 })
})

test('what is no moment leads to the start', () => {
  for (const hash of ['', '#', '#t=', '#t=-4', '#t=1e9', '#t=x', '#ghost=KQXWVD/1/2', '#t=99999999'])
    assert.equal(momentOf(hash), null, hash)
})

test('a moment is written so that nothing of it is lost', () => {
  assert.equal(fragmentOf({ along: 'time', position: 83_401, seat: 0 }), '#t=83.5')
  assert.equal(fragmentOf({ along: 'time', position: 0, seat: 3 }), '#t=0&board=3')
  for (const position of [0, 100, 12_300, 99_999]) {
    assert.ok((momentOf(fragmentOf({ along: 'time', position, seat: 1 }))?.position ?? -1) >= position)
  }
  assert.deepEqual(momentOf(fragmentOf({ along: 'stock', position: 23.25, seat: 0 })), {
    along: 'stock',
    position: 23.25,
    seat: 0,
  })
})
