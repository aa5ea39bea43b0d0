import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeFrom, mistypedIn, placeOf } from '../../src/browser/route.js'

const room = { code: 'KQXWVD', watching: false, replay: 0, page: null }

test('a room has an address', () => {
  assert.deepEqual(placeOf('/r/kqxwvd'), room)
  assert.deepEqual(placeOf('/r/KQXWVD/'), room)
  for (const end of ['.', ',', '/.', ').', '%20', '%E2%80%A6']) assert.deepEqual(placeOf(`/r/KQXWVD${end}`), room, end)
  assert.equal(placeOf('/').code, null)
  assert.equal(placeOf('/r/TOOLONG').code, null)
})

test('a link that goes on and on is read at once', () => {
  for (const end of ['%', '%20', '.', '%%2']) assert.equal(placeOf(`/r/KQXWVD${end.repeat(2000)}x/w`).code, null, end)
})

test('watching a room has an address', () => {
  assert.deepEqual(placeOf('/r/kqxwvd/w'), { ...room, watching: true })
})

test('the replay of a race has an address', () => {
  assert.deepEqual(placeOf('/r/kqxwvd/12'), { ...room, replay: 12 })
  for (const path of ['/r/KQXWVD/0', '/r/KQXWVD/x', '/r/KQXWVD/1x', '/r/KQXWVD/1234567']) {
    assert.equal(placeOf(path).code, null, path)
  }
})

test('a tournament has a page for a projector', () => {
  assert.deepEqual(placeOf('/r/kqxwvd/p'), { ...room, page: 'p' })
})

test('practice without a server has an address, and is in no room', () => {
  assert.deepEqual(placeOf('/practice'), { code: null, watching: false, replay: 0, page: 'practice' })
})

test('an overlay for streams has an address', () => {
  assert.deepEqual(placeOf('/r/kqxwvd/o'), { ...room, page: 'o' })
})

test('a code may be typed in any case, with spaces, or pasted as a link', () => {
  for (const text of [
    'KQXWVD',
    ' kqxwvd ',
    'KQX WVD',
    'kqx-wvd',
    'http://192.0.2.2:8040/r/kqxwvd',
    'Join us: https://x.org/r/KQXWVD?x=1',
    'https://x.org/r/KQXWVD/w',
  ]) {
    assert.equal(codeFrom(text), 'KQXWVD', text)
  }
  for (const text of ['', 'KQXWV', 'KQXWVDX', '123456']) assert.equal(codeFrom(text), null, text)
})

test('what somebody took for a code in an address that leads nowhere is not lost', () => {
  assert.equal(mistypedIn('/'), '')
  for (const path of ['/r/KQXWV', '/KQXWV', '/r/KQXWV/']) assert.equal(mistypedIn(path), 'KQXWV', path)
  assert.equal(mistypedIn(`/r/${'x'.repeat(2000)}`).length, 20)
  assert.equal(mistypedIn('/r/<b>'), '')
})
