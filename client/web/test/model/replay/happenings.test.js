import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenFrom, happeningsOf } from '../../../src/model/replay/happenings.js'
import { timelineOf } from '../../../src/model/replay/timeline.js'
import { joined, pluck, rises } from '../../helpers.js'
import { ALL, recordOf } from './records.js'

test('the happenings are in the order of time', () => {
  for (const name of ALL) {
    assert.ok(rises(pluck(happeningsOf(timelineOf(recordOf(name))), 'ms')), name)
  }
})

test('the end of each racer is reported once', () => {
  for (const name of ALL) {
    const timeline = timelineOf(recordOf(name))
    const ends = happeningsOf(timeline).filter(({ kind }) => kind === 'ended')
    assert.deepEqual(pluck(ends, 'seat').sort(), [...timeline.seats].sort(), name)
  }
})

test('an overtaking racer has more cards home', () => {
  const timeline = timelineOf(recordOf('stuck'))
  const overtakings = happeningsOf(timeline).filter(({ kind }) => kind === 'overtook')
  assert.ok(overtakings.length > 0)
  for (const { seat, n, ms, others = [] } of overtakings) {
    for (const other of others) {
      const line = timeline.line(other)
      assert.ok(timeline.line(seat).home[n] > line.home[line.at(ms)])
    }
  }
})

/** The numbers of all stock cards. */
const CARDS = Array.from({ length: 64 }, (_, i) => i + 1)

test('each racer reveals each stock card once, with its number', () => {
  const timeline = timelineOf(recordOf('solved'))
  const revealed = happeningsOf(timeline).filter(({ kind, seat }) => kind === 'revealed' && seat === 1)
  assert.deepEqual(pluck(revealed, 'stock'), CARDS)
})

test('giving up, taking it back and joining late are reported', () => {
  const all = happeningsOf(timelineOf(recordOf('comings and goings')))
  const rare = all.filter(({ kind }) => !['revealed', 'overtook', 'ended'].includes(kind)).map(({ kind, seat }) => [kind, seat])
  assert.equal(joined(rare), 'late,4 late,3 gave_up,1 took_back,1 late,5 gave_up,5')
})

test('the page can choose sorts of happenings', () => {
  const all = happeningsOf(timelineOf(recordOf('stuck')))
  const kinds = (/** @type {any} */ sorts) => new Set(chosenFrom(all, sorts, 0).map(({ kind }) => kind))
  assert.deepEqual([...kinds(['overtaking'])], ['overtook'])
  assert.deepEqual([...kinds(['ends'])], ['ended'])
  assert.deepEqual(chosenFrom(all, [], 0), [])
})

test('without a chosen racer, a stock card is reported for the first one to draw it', () => {
  const all = happeningsOf(timelineOf(recordOf('solved')))
  const cards = chosenFrom(all, ['cards'], 0)
  assert.deepEqual(pluck(cards, 'stock'), CARDS)
  assert.ok(chosenFrom(all, ['cards'], 2).every(({ seat }) => seat === 2))
})
