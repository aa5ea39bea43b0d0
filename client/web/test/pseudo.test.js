import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pseudo } from '../pseudo.js'

test('a message is accented, in brackets, and longer', () => {
  assert.equal(pseudo('Race'), '[Ŕáçé~~]')
})

test('parameters keep their names, and take room', () => {
  assert.equal(pseudo('{name} won'), '[{name} wóñ~~~~]')
})

test('in a choice, the cases are accented and not what chooses', () => {
  const message = '{count, plural, =0 {No card} one {# card} other {# cards}}'
  assert.equal(pseudo(message), '[{count, plural, 0 {Ñó çáŕđ} one {# çáŕđ} other {# çáŕđš}}~~]')
})

test('what is added breaks into lines as words do', () => {
  assert.match(pseudo('x'.repeat(100)), /(~{8} ){4}~{8}\]$/)
})
