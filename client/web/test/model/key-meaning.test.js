import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meaningOf } from '../../src/model/key-meaning.js'
import { joined } from '../helpers.js'

const MEANINGS = Object.fromEntries([...'cmtw,.[]? 0', 'escape'].map((key) => [key, key]))
const means = (/** @type {string[][]} */ ...keys) =>
  joined(keys.map(([key = '', code = '']) => meaningOf(MEANINGS, { key, code }) ?? 'nothing'))

test('Latin letters, signs and named keys are what they say, wherever they lie', () => {
  assert.equal(means(['w', 'KeyZ'], ['C', 'KeyI'], ['?', 'Digit7'], ['Escape', 'Escape']), 'w c ? escape')
  assert.equal(means(['z', 'KeyW'], [',', 'KeyW'], ['Enter', 'KeyC'], ['x', 'KeyX']), 'nothing , nothing nothing')
})

test('on a keyboard without Latin letters, or with an input method, places count', () => {
  assert.equal(means(['с', 'KeyC'], ['Ь', 'KeyM'], ['х', 'BracketLeft'], ['ю', 'Period'], ["'", 'KeyW']), 'c m [ . w')
  assert.equal(
    means(['म', 'KeyC'], ['ज्ञ', 'KeyM'], ['य', 'Slash'], ['Process', 'KeyT'], ['Dead', 'BracketRight'], ['०', 'Digit0']),
    'c m ? t ] 0',
  )
})
