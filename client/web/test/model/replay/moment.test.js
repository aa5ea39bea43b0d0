import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf, momentOf } from '../../../src/model/replay/moment.js'

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
