import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newsBetween, newsOfAll } from '../../../src/model/race/news.js'

/** @param {number} seat @param {string} name @param {number} home @param {object} [more] @returns {any} */
const lane = (seat, name, home, more = {}) => ({ seat, name, home, state: 'racing', awayAt: null, ms: null, ...more })

test('a rival’s end is news, and on request all rivals, but not the player', () => {
  const before = [lane(2, 'Bob', 100), lane(1, 'Ann', 3)]
  const after = [lane(2, 'Bob', 104, { state: 'solved', ms: 201_000 }), lane(1, 'Ann', 3)]
  assert.equal(newsBetween(before, after, 1), 'Bob won in 3:21.')
  const near = [93, 95, 97].map((home) => [lane(2, 'Bob', home), lane(1, 'Ann', 3)])
  assert.equal(newsBetween(near[0], near[1], 1), 'Bob: 9 to go!')
  assert.equal(newsBetween(near[0], near[1], 2), '9 to go!')
  assert.equal(newsBetween(near[1], near[2], 1), '', 'it is told once')
  const lanes = [lane(2, 'Bob', 12, { awayAt: 5 }), lane(1, 'Ann', 9), lane(3, 'Cleo', 1, { state: 'gave_up' })]
  assert.equal(newsOfAll(lanes, 1), 'Bob: 12 cards on the foundations, away. Cleo: 1 card on the foundations, gave up.')
  assert.equal(newsOfAll([lane(1, 'Ann', 9)], 1), '')
  const own = [3, 9].map((home) => [lane(1, 'Ann', home + 20), lane(2, 'Bob', 3)])
  assert.equal(newsBetween(own[0], own[1], 1), '')
})

test('a new leader, a longer lead, going away and returning are news', () => {
  const before = [lane(1, 'Ann', 20), lane(2, 'Bob', 19)]
  const after = [lane(2, 'Bob', 21), lane(1, 'Ann', 20)]
  assert.equal(newsBetween(before, after, 1), 'Bob leads with 21 cards on the foundations.')
  assert.equal(newsBetween(after, [lane(2, 'Bob', 26), lane(1, 'Ann', 20)], 1), 'Bob leads with 26 cards on the foundations.')
  assert.equal(newsBetween(after, [lane(2, 'Bob', 24), lane(1, 'Ann', 20)], 1), '')
  const here = [lane(1, 'Ann', 1), lane(2, 'Bob', 1)]
  const away = [lane(1, 'Ann', 1), lane(2, 'Bob', 1, { awayAt: 5 })]
  assert.equal(newsBetween(here, away, 1), 'Bob is away.')
  assert.equal(newsBetween(away, here, 1), 'Bob is back.')
})
