import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photoFinish, photoText } from '../../../src/model/race/photo-finish.js'

/** @param {object[]} lanes of the first two @param {number} [behind] */
function photo(lanes, behind) {
  const known = lanes.map((lane, i) => ({ seat: i + 1, place: i + 1, moves: 9, ...lane }))
  const found = photoFinish(/** @type {any} */ (known), behind)
  return found && `${found.seats}: ${photoText(found)}`
}
const won = (/** @type {number} */ ms) => ({ state: 'solved', home: 104, ms })
const out = (/** @type {number} */ home) => ({ state: 'timed_out', home, ms: 60_000 })

test('two wins within three seconds are a photo finish', () => {
  assert.equal(photo([won(60_000), won(60_412)]), '1,2: Photo finish: 0.4 seconds!')
  assert.equal(photo([won(60_000), won(63_001)]), null)
  assert.equal(photo([won(60_000), { state: 'racing', home: 103, ms: null }]), null, 'not yet')
  assert.equal(photo([won(60_000)]), null)
})

test('at most one card between two racers is a photo finish, if time decided', () => {
  assert.equal(photo([out(41), out(40)]), '1,2: Photo finish: 1 card!')
  assert.equal(photo([out(40), out(40)]), '1,2: Photo finish: the same number of cards!')
  assert.equal(photo([out(42), out(40)]), null)
  assert.equal(photo([out(40), { ...out(40), state: 'gave_up' }]), null)
  assert.equal(photo([out(8), { ...out(8), place: null, moves: 0 }]), null)
  assert.equal(photo([won(60_000), out(103)], 1), '1,2: Photo finish: 1 card!')
  assert.equal(photo([won(60_000), out(103)], 21), null, 'the race went on after the win')
})
