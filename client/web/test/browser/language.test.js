import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageFor, rememberLanguage } from '../../src/browser/language.js'

const HAVE = ['en', 'ro', 'hi']
const NOTHING = { cookie: '' }

test('the chosen language comes first, then the first known one of the browser', () => {
  assert.equal(languageFor(NOTHING, ['fr', 'ro-MD', 'en-GB'], HAVE), 'ro')
  assert.equal(languageFor(NOTHING, ['HI'], HAVE), 'hi')
  assert.equal(languageFor(NOTHING, ['fr-CA'], HAVE), 'en')
  assert.equal(languageFor(NOTHING, [], HAVE), 'en')
  assert.equal(languageFor({ cookie: 'a=b; language=hi' }, ['ro'], HAVE), 'hi')
  assert.equal(languageFor({ cookie: 'language=xx' }, ['ro'], HAVE), 'ro')
  assert.equal(languageFor({ cookie: 'other-language=hi' }, ['ro'], HAVE), 'ro')
})

test('the choice is kept in a cookie', () => {
  const document = { cookie: '' }
  rememberLanguage(document, 'hi')
  assert.equal(languageFor(document, ['ro'], HAVE), 'hi')
  assert.match(document.cookie, /path=\/; max-age=34560000; samesite=lax/)
})
