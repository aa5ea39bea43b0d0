import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeFrom, codeOf } from '../../src/app/route.js'

test('a room has an address', () => {
  assert.equal(codeOf('/r/kqxwvd'), 'KQXWVD')
  assert.equal(codeOf('/r/KQXWVD/'), 'KQXWVD')
  assert.equal(codeOf('/'), null)
  assert.equal(codeOf('/r/TOOLONG'), null)
})

test('a code may be typed in any case, with spaces, or pasted as a link', () => {
  for (const text of [
    'KQXWVD',
    ' kqxwvd ',
    'KQX WVD',
    'kqx-wvd',
    'http://192.0.2.2:8040/r/kqxwvd',
    'Join us: https://x.org/r/KQXWVD?x=1',
  ]) {
    assert.equal(codeFrom(text), 'KQXWVD', text)
  }
  for (const text of ['', 'KQXWV', 'KQXWVDX', '123456']) assert.equal(codeFrom(text), null, text)
})
