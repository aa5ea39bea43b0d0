import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mistypedIn, placeOf, roomFrom } from '../../src/browser/route.js'

const room = { code: 'KQXWVD', watching: false, replay: 0, page: null }

test('each page has a URL', () => {
  assert.deepEqual(placeOf('/r/kqxwvd'), room)
  assert.deepEqual(placeOf('/r/kqxwvd/w'), { ...room, watching: true })
  assert.deepEqual(placeOf('/r/kqxwvd/12'), { ...room, replay: 12 })
  assert.deepEqual(placeOf('/r/KQXWVD/W'), { ...room, watching: true })
  for (const page of ['p', 'o', 'c']) assert.deepEqual(placeOf(`/r/kqxwvd/${page}`), { ...room, page })
  for (const page of ['practice', 'series']) assert.deepEqual(placeOf(`/${page}`), { ...room, code: null, page })
  for (const path of ['/', '/r/TOOLONG', '/r/KQXWVD/0', '/r/KQXWVD/x', '/r/KQXWVD/1x', '/r/KQXWVD/1234567']) {
    assert.equal(placeOf(path).code, null, path)
  }
})

test('a code is typed in any case or pasted as a link, and a mistyped one is kept', () => {
  const links = ['http://192.0.2.2:8040/r/kqxwvd', 'Join us: https://x.org/r/KQXWVD?x=1', 'https://x.org/r/KQXWVD/w']
  links.push('HTTPS://X.ORG/R/KQXWVD', 'https%3A%2F%2Fx.org%2Fr%2Fkqxwvd%23x', '"KQXWVD"', 'kqxwvd.', '<https://x.org/r/KQXWVD>')
  for (const text of ['KQXWVD', ' kqxwvd ', 'KQX WVD', 'kqx-wvd', ...links]) assert.equal(roomFrom(text)?.code, 'KQXWVD', text)
  for (const text of ['', 'KQXWV', 'KQXWVDX', '123456']) assert.equal(roomFrom(text), null, text)
  assert.deepEqual(roomFrom('Yours: https://x.org/r/KQXWVD#entry=abc).'), { code: 'KQXWVD', fragment: '#entry=abc' })
  assert.equal(mistypedIn('/'), '')
  for (const path of ['/r/KQXWV', '/KQXWV', '/r/KQXWV/']) assert.equal(mistypedIn(path), 'KQXWV', path)
  assert.equal(mistypedIn(`/r/${'x'.repeat(2000)}`).length, 20)
  assert.equal(mistypedIn('/r/<b>'), '')
})
