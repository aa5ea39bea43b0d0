import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, refusalOf } from '../../src/net/refusal.js'
import { speak } from '../../src/words/translate.js'

/** @param {string} code @param {object} [parameters] */
const text = (code, parameters = {}) => new Refusal(code, 'in English', { ...parameters }).message

test('a refusal has the text of its code, or of its detail', () => {
  assert.equal(text('enough-bots', { most: 1 }), 'A room has at most 1 bot.')
  assert.equal(text('too-few'), 'There are too few entrants: a round needs two.')
  assert.equal(text('bad-plan', { detail: 'listed-twice' }), 'A name is on the list twice.')
  assert.equal(text('bad-settings', { detail: 'people-here', people: 5 }), '5 people are here.')
  assert.equal(text('bad-settings', { detail: 'Expected `int`' }), 'These settings do not work: Expected `int`.')
  assert.equal(text('newer-code', { name: 'reason' }), 'in English', 'the page does not know this code')
})

test('a setting and a tie-break have the names that they have on the page', async () => {
  const rounds = { detail: 'out-of-range', setting: 'rounds', least: 1, most: 30 }
  assert.equal(text('bad-plan', rounds), '“Rounds” must be from 1 to 30.')
  assert.equal(text('bad-plan', { ...rounds, setting: 'newer' }), '“newer” must be from 1 to 30.')
  await speak('ro')
  assert.equal(text('bad-plan', rounds), '„Runde” poate fi de la 1 până la 30.')
  assert.match(text('bad-plan', { detail: 'unknown-round-setting', setting: "'countdown'" }), /„Numărătoare inversă”/)
  assert.match(text('bad-plan', { detail: 'tiebreak-of-format', tiebreak: 'direct' }), /„Întâlnire directă”/)
  await speak('en')
})

test('a shown refusal follows the language', async () => {
  const refusal = new Refusal('full')
  await speak('en-XA')
  assert.match(refusal.message, /^\[.*~\]$/)
  await speak('en')
  assert.equal(refusal.message, 'This room is full.')
})

test('an HTTP answer without a refusal gets a text, too', async () => {
  const refusal = await refusalOf(new Response('<html>', { status: 502 }))
  assert.equal(refusal.message, 'The server doesn’t answer. Check your connection, and try again.')
})
