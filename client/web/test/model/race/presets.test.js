import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRESETS, presetOf } from '../../../src/model/race/presets.js'
import { vectors } from '../../helpers.js'

test('a new room has the classic settings, and a mixture has no preset', () => {
  const [, , , , view] = vectors('messages.json').find((/** @type {any} */ { message: [tag] }) => tag === 'room').message
  assert.equal(presetOf(view.settings), 'classic')
  assert.equal(presetOf({ ...view.settings, ...PRESETS.serious, game: 'maria' }), 'serious')
  assert.equal(presetOf({ ...view.settings, undo: 'none' }), null)
})
