import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionOf } from '../../src/table/key-actions.js'
import { joined } from '../helpers.js'

const SHIFT = { shiftKey: true }
const press = (/** @type {string} */ key, /** @type {string} */ code, more = {}) =>
  actionOf({ key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more })

test('digits are columns, with Shift from the eleventh, also on a French keyboard', () => {
  const plain = joined([press('3', 'Digit3'), press('0', 'Digit0'), press('7', 'Numpad7'), press('&', 'Digit1')])
  assert.equal(plain, 'column-3 column-10 column-7 column-1')
  const shifted = [press('!', 'Digit1', SHIFT), press('#', 'Digit3', SHIFT), press('1', 'Digit1', SHIFT)]
  assert.equal(joined(shifted), 'column-11 column-13 column-11')
})

test('a letter counts, or its place on a keyboard without Latin letters', () => {
  const letters = [press('w', 'KeyZ'), press('F', 'KeyF', SHIFT), press('ह', 'KeyU'), press('r', 'KeyR'), press('h', 'KeyH')]
  assert.equal(joined(letters), 'waste home undo read read-homes')
  assert.equal(press('x', 'KeyX'), null)
})

test('with a preference, letters, digits and signs need Alt, wherever Alt makes another sign of them', () => {
  const event = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: true }
  const keys = [
    ['w', 'KeyW'],
    ['∑', 'KeyW'],
    ['Dead', 'KeyU'],
    ['3', 'Digit3'],
    [' ', 'Space'],
  ]
  const meant = (/** @type {boolean} */ altKey) =>
    keys.map(([key = '', code = '']) => actionOf({ ...event, key, code, altKey }, true) ?? 'none').join(' ')
  assert.equal(meant(true), 'waste waste undo column-3 none')
  assert.equal(meant(false), 'none none none none draw')
})

test('space, Enter, Escape and ? act, but not with Control, Alt or Command', () => {
  const others = [press(' ', 'Space'), press('Enter', 'Enter'), press('Escape', 'Escape'), press('?', 'Slash', SHIFT)]
  assert.equal(joined(others), 'draw act drop help')
  for (const key of ['ctrlKey', 'metaKey', 'altKey']) assert.equal(press('w', 'KeyW', { [key]: true }), null)
})
