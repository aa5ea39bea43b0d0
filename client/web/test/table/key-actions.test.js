import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionOf } from '../../src/table/key-actions.js'

const press = (/** @type {string} */ key, /** @type {string} */ code, more = {}) =>
  actionOf({ key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more })

test('digits are columns, with Shift from the eleventh, also on a French keyboard', () => {
  assert.equal(press('3', 'Digit3'), 'column-3')
  assert.equal(press('0', 'Digit0'), 'column-10')
  assert.equal(press('!', 'Digit1', { shiftKey: true }), 'column-11')
  assert.equal(press('#', 'Digit3', { shiftKey: true }), 'column-13')
  assert.equal(press('7', 'Numpad7'), 'column-7')
  assert.equal(press('&', 'Digit1'), 'column-1')
  assert.equal(press('1', 'Digit1', { shiftKey: true }), 'column-11')
})

test('a letter counts, or its place on a keyboard without Latin letters', () => {
  assert.equal(press('w', 'KeyZ'), 'waste')
  assert.equal(press('F', 'KeyF', { shiftKey: true }), 'home')
  assert.equal(press('ह', 'KeyU'), 'undo')
  assert.deepEqual([press('r', 'KeyR'), press('h', 'KeyH')], ['read', 'read-homes'])
  assert.equal(press('x', 'KeyX'), null)
})

test('space, Enter, Escape and ? act, but not with Control, Alt or Command', () => {
  assert.deepEqual(
    [press(' ', 'Space'), press('Enter', 'Enter'), press('Escape', 'Escape'), press('?', 'Slash', { shiftKey: true })],
    ['draw', 'act', 'drop', 'help'],
  )
  for (const key of ['ctrlKey', 'metaKey', 'altKey']) assert.equal(press('w', 'KeyW', { [key]: true }), null)
})
