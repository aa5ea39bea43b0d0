import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GAMES } from '../../src/rules/games.js'
import { EFFORT, widthsOf, wonOf } from '../../src/solver/measured.js'

test('every game was measured', () => {
  for (const key of GAMES.keys()) {
    const [one = 0, two = 0] = widthsOf(key)
    assert.ok(0 < one && one < two && two < EFFORT, key)
    assert.ok(wonOf(key) > 0 && wonOf(key) <= 100, key)
  }
})
