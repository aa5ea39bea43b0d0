import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, refusalOf } from '../../src/net/refusal.js'
import { speak } from '../../src/words/translate.js'

test('a refusal is said in the words of its code, filled in', () => {
  assert.equal(new Refusal('enough-bots', 'in English', { most: 1 }).message, 'A room has at most 1 bot.')
})

test('what only tournaments refuse has its words among theirs', () => {
  assert.equal(new Refusal('too-few').message, 'There are too few entrants: a round needs two.')
  assert.equal(new Refusal('bad-plan', '', { detail: 'listed-twice' }).message, 'A name is on the list twice.')
})

test('a reason is a sentence of its own, and a detail that is no code stands in the one around it', () => {
  const said = (/** @type {string} */ detail) => new Refusal('bad-settings', '', { detail, people: 5 }).message
  assert.equal(said('people-here'), '5 people are here.')
  assert.equal(said('Expected `int`'), 'These settings do not work: Expected `int`.')
})

test('a setting and a tie-break have the name that the page has for them, in its language', async () => {
  const said = (/** @type {string} */ detail, parameters = {}) => new Refusal('bad-plan', '', { detail, ...parameters }).message
  const rounds = { setting: 'rounds', least: 1, most: 30 }
  assert.equal(said('out-of-range', rounds), '“Rounds” must be from 1 to 30.')
  assert.equal(said('out-of-range', { ...rounds, setting: 'newer' }), '“newer” must be from 1 to 30.')
  await speak('ro')
  assert.equal(said('out-of-range', rounds), '„Runde” poate fi de la 1 până la 30.')
  assert.equal(
    said('unknown-round-setting', { setting: "'countdown'" }),
    'Setarea „Numărătoare inversă” nu se poate schimba pentru o singură rundă.',
  )
  assert.equal(
    said('tiebreak-of-format', { tiebreak: 'direct' }),
    'Criteriul de departajare „Întâlnire directă” nu e pentru acest format.',
  )
  await speak('en')
})

test('a code that this page does not know is said in the words of the server', () => {
  assert.equal(new Refusal('newer-code', 'Something new.', { name: 'reason' }).message, 'Something new.')
})

test('a refusal that is shown follows the language', async () => {
  const refusal = new Refusal('full', 'in English')
  await speak('en-XA')
  assert.match(refusal.message, /^\[.*~\]$/)
  await speak('en')
  assert.equal(refusal.message, 'This room is full.')
})

test('an answer over HTTP that is no refusal is named as that', async () => {
  const refusal = await refusalOf(new Response('<html>', { status: 502 }))
  assert.equal(refusal.message, 'The server doesn’t answer. Check your connection, and try again.')
})
