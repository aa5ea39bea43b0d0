import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrefs } from '../../src/browser/preferences.js'

/** @param {Map<string, string>} kept */
const store = (kept) => ({
  recall: (/** @type {string} */ key) => kept.get(key) ?? null,
  remember: (/** @type {string} */ key, /** @type {string | null} */ value) =>
    void (value === null ? kept.delete(key) : kept.set(key, value)),
})

test('what was chosen is there at the next visit, and what is as at first takes no room', () => {
  const kept = new Map()
  const prefs = createPrefs(store(kept))
  assert.deepEqual([prefs.sound.value, prefs.safeHome.value, prefs.game.value], [true, false, 'lucas'])
  assert.equal(kept.size, 0)
  prefs.sound.value = false
  prefs.safeHome.value = true
  prefs.game.value = 'maria'
  const again = createPrefs(store(kept))
  assert.deepEqual([again.sound.value, again.safeHome.value, again.game.value], [false, true, 'maria'])
  again.sound.value = true
  assert.deepEqual([...kept.keys()].sort(), ['game', 'safe-home'])
})
