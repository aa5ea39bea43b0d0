import assert from 'node:assert/strict'
import { test } from 'node:test'
import { practiceKeys, raceKeys, replayKeys, watchKeys } from '../../src/model/key-help.js'
import { actOf } from '../../src/stage/board-choice.js'
import { actionOf } from '../../src/table/key-actions.js'

/** @import { KeyText } from '../../src/model/key-help.js' */

const NAMES = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space', PageUp: 'Page', PageDown: 'Page' }
const OTHERS = ['Enter', 'Escape', '?', ...Object.keys(NAMES), ...'abcdefghijklmnopqrstuvwxyz']

/** Whether a help text names a key. @param {readonly KeyText[]} help @param {string} key */
function hasKey(help, key) {
  const name = NAMES[/** @type {keyof typeof NAMES} */ (key)] ?? (key.length === 1 ? key.toUpperCase() : key)
  return help.some(([keys]) => keys.split(/[ ,]+/).includes(name))
}

/** @param {string} key */
const pressed = (key) => ({
  ...{ key, code: `Key${key.toUpperCase()}` },
  ...{ shiftKey: false, ctrlKey: false, metaKey: false, altKey: false },
})

test('each help has every key that its page uses', () => {
  for (const help of [raceKeys(), practiceKeys()]) {
    for (const key of OTHERS) if (actionOf(pressed(key))) assert.ok(hasKey(help, key), key)
  }
  const turns = { before: 1, after: 3 }
  for (const key of OTHERS) {
    if (!actOf({ key, code: '' }, [2], turns)) continue
    assert.ok(hasKey(watchKeys(), key), key)
    assert.ok(hasKey(replayKeys(), key), key)
  }
})
