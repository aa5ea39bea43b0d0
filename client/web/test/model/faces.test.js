import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DRAWN } from '../../src/model/faces.js'
import { nameOrRandom } from '../../src/parts/controls/random-name.js'
import { COLOURS, PICTURES } from '../../src/protocol/constants.js'

/** @import { Prefs } from '../../src/browser/preferences.js' */

for (const tag of ['en', 'ro', 'hi'])
  test(`each random name in ${tag} has a face`, () => {
    const words = JSON.parse(readFileSync(`../../shared/fortythieves/words/${tag}/more.json`, 'utf8'))
    for (const name of words['more.names.who'].split(', ')) assert.ok(DRAWN.indexOf(name.split(' ')[0]) > 0, name)
  })

test('a player without a name gets one that fits the face', async () => {
  const prefs = /** @type {Prefs} */ (/** @type {unknown} */ ({ name: { peek: () => ' ' }, face: { value: 0 } }))
  const name = await nameOrRandom(prefs)
  assert.match(name, /^[A-Z]\w+ [A-Z]\w+$/)
  assert.ok(prefs.face.value > 0 && prefs.face.value < COLOURS * PICTURES)
  assert.equal(await nameOrRandom({ ...prefs, name: /** @type {any} */ ({ peek: () => 'Ann ' }) }), 'Ann')
})
